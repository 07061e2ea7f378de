"""OpenAI's API as the loopback provider plays it."""
