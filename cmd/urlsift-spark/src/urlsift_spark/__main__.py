"""``python -m urlsift_spark`` is the command urlsift-spark."""

import sys

from .cli import main

sys.exit(main())
