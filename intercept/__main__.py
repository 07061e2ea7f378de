"""`python -m intercept`: the command line."""

from intercept.cli import main

if __name__ == "__main__":
    main()
