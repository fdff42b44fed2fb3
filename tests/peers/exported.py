"""Reads the files of an export, each with an independent implementation, and prints their contents, as JSON.

    exported.py FOLDER FROM TO

FOLDER holds calendar.ics, contacts.vcf, mail.mbox and transactions.csv; occurrences are told between two days.
"""

import csv
import datetime
import email
import email.policy
import hashlib
import json
import mailbox
import re
import sys
from pathlib import Path

import icalendar
import recurring_ical_events
import vobject


def moment(value):
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            return value.isoformat()
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S+00:00")
    return value.isoformat()


def property_of(event, name):
    value = event.get(name)
    return moment(value.dt) if value is not None else None


def event_of(event):
    attendees = event.get("attendee") or []
    attendees = attendees if isinstance(attendees, list) else [attendees]
    categories = event.get("categories")
    categories = categories if isinstance(categories, list) else [categories] if categories else []
    return {
        "uid": str(event.get("uid")),
        "title": str(event.get("summary", "")),
        "description": str(event.get("description", "")),
        "location": str(event.get("location", "")),
        "start": property_of(event, "dtstart"),
        "end": property_of(event, "dtend"),
        "replaces": property_of(event, "recurrence-id"),
        "attendees": [str(one) for one in attendees],
        "names": [str(one.params.get("CN", "")) for one in attendees],
        "categories": [str(one) for some in categories for one in some.cats],
    }


def calendar(path, first, last):
    data = path.read_bytes()
    assert all(len(line) <= 75 for line in data.split(b"\r\n")), "a line is not folded"
    read = icalendar.Calendar.from_ical(data)
    assert not read.errors, read.errors
    assert not read.get_missing_tzids(), read.get_missing_tzids()
    occurring = recurring_ical_events.of(read).between(first, last)
    return {
        "events": [event_of(event) for event in read.walk("VEVENT")],
        "occurrences": sorted([str(one.get("summary", "")), property_of(one, "dtstart")] for one in occurring),
    }


def lines(card, name):
    return [line.value for line in card.contents.get(name, [])]


def person(card):
    name = lines(card, "n")[0]
    organization = (lines(card, "org") or [[]])[0]
    address = [(one.street, one.city, one.code, one.country) for one in lines(card, "adr")]
    return {
        "uid": card.uid.value,
        "full_name": card.fn.value,
        "names": [name.family, name.given, name.additional, name.prefix, name.suffix],
        "organization": organization,
        "emails": lines(card, "email"),
        "phones": lines(card, "tel"),
        "addresses": address,
        "notes": (lines(card, "note") or [""])[0],
        "birthday": (lines(card, "bday") or [""])[0],
        "nicknames": lines(card, "nickname"),
        "is_group": bool(lines(card, "x-addressbookserver-kind")),
    }


def contacts(path):
    text = path.read_bytes().decode("utf-8")
    return [person(card) for card in vobject.readComponents(text)]


def unquoted(data):
    return re.sub(rb"(?m)^>(>*From )", rb"\1", data)


def message(data):
    raw = re.sub(rb"\A(Status: R?O\n)?(X-Status: \w+\n)?", b"", data)
    read = email.message_from_bytes(data, policy=email.policy.default)
    text = read.get_body(("plain",))
    return {
        "sha256": hashlib.sha256(raw.rstrip(b"\n")).hexdigest(),
        "subject": str(read["subject"] or ""),
        "from": [[one.display_name, one.addr_spec] for one in (read["from"].addresses if read["from"] else ())],
        "to": [[one.display_name, one.addr_spec] for one in (read["to"].addresses if read["to"] else ())],
        "date": moment(read["date"].datetime) if read["date"] and read["date"].datetime else None,
        "message_id": str(read["message-id"] or ""),
        "status": str(read["status"] or ""),
        "text": text.get_content() if text is not None else "",
    }


def mail(path):
    box = mailbox.mbox(path)
    return [message(unquoted(box.get_bytes(key))) for key in box.keys()]


def transactions(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))


def main():
    folder = Path(sys.argv[1])
    first, last = (datetime.date.fromisoformat(day) for day in sys.argv[2:4])
    told = {
        "calendar": calendar(folder / "calendar.ics", first, last),
        "contacts": contacts(folder / "contacts.vcf"),
        "mail": mail(folder / "mail.mbox"),
        "transactions": transactions(folder / "transactions.csv"),
    }
    # Malformed mail contains bytes that are no text.
    sys.stdout.buffer.write(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace"))


main()
