"""The main job shown in one command: a plain application is recorded once, then replayed without key or network.

`agent` is the application. It knows nothing of intercept; the rest of this package runs it twice and compares.
"""
