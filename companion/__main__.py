"""`python -m companion` is `gryphon`."""

import sys

from companion.interrupt import interrupted

if __name__ == "__main__":
    try:
        from companion.cli import main
    except KeyboardInterrupt:
        sys.exit(interrupted())
    sys.exit(main())
