"""Xandikos with a certificate that lies in its state folder already, however soon that ends."""

import sys

from xandikos import autocert
from xandikos.__main__ import cli_main

autocert._needs_regeneration = lambda path: False
sys.exit(cli_main())
