"""Renders the HTML of mails with inscriptis, as a peer to formats/src/html.

usage: rendered.py FILE...   prints one JSON array of {"file", "html", "text"}, one for each part that is HTML
"""

import email
import json
import sys
from email.policy import default

from inscriptis import get_text


def parts(path):
    with open(path, "rb") as file:
        message = email.message_from_binary_file(file, policy=default)
    for part in message.walk():
        if part.get_content_type() != "text/html":
            continue
        try:
            html = part.get_content()
        except (LookupError, KeyError, UnicodeError):
            continue
        yield {"file": path, "html": html, "text": get_text(html) if html.strip() else ""}


json.dump([part for path in sys.argv[1:] for part in parts(path)], sys.stdout)
