"""Reads mail with Python's own email and mailbox modules, as a peer to formats/src/readers/mail.

usage: mail.py FILE...   a file, an mbox (.mbox) or a Maildir (a folder); prints one JSON object:
file -> messages, each with its Message-ID, subject, first sender, date and names of attachments
"""

import email
import json
import mailbox
import sys
from datetime import timezone
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path


def header(message, name):
    try:
        value = message[name]
    except (ValueError, IndexError, AttributeError):
        return None
    return None if value is None else " ".join(str(value).split())


def sender(message):
    try:
        addresses = message["From"].addresses
    except (ValueError, IndexError, AttributeError):
        return None
    return addresses[0].addr_spec if addresses else None


def sent(message):
    try:
        date = parsedate_to_datetime(header(message, "Date"))
    except (ValueError, TypeError, IndexError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return date.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def names(part):
    """Only of the parts of this message, not of messages within it."""
    if part.get_content_maintype() == "multipart" and part.is_multipart():
        return [name for child in part.get_payload() for name in names(child)]
    name = part.get_filename()
    return [name] if name else []


def facts(message):
    return {
        "message_id": (header(message, "Message-ID") or "").strip("<> ") or None,
        "subject": header(message, "Subject") or None,
        "from": sender(message),
        "sent_at": sent(message),
        "attachments": names(message),
    }


def messages(path):
    parse = lambda file: email.message_from_binary_file(file, policy=default)
    if path.is_dir():
        box = mailbox.Maildir(path, factory=parse)
        boxes = [box] + [mailbox.Maildir(path / f".{name}", factory=parse) for name in box.list_folders()]
        return [message for box in boxes for message in box]
    if path.suffix == ".mbox":
        return list(mailbox.mbox(path, factory=parse))
    with path.open("rb") as file:
        return [parse(file)]


read = {name: [facts(message) for message in messages(Path(name))] for name in sys.argv[1:]}
json.dump(read, sys.stdout)
