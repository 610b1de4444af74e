"""`python -m longtrail` is the `longtrail` command."""

import sys

from longtrail.commands.main import main

sys.exit(main())
