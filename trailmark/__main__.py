"""`python -m trailmark` is the `trailmark` command."""

import sys

from trailmark.cli import main

sys.exit(main())
