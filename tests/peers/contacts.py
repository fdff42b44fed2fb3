"""Reads .vcf files with vobject and prints the contents of their cards, as JSON: by file, in the order of the cards.

A file that vobject cannot read is given as its error.
"""

import json
import sys
from pathlib import Path

import vobject


def text_of(path):
    data = Path(path).read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252")


def joined(value):
    return ", ".join(value) if isinstance(value, list) else value


def texts(card, name):
    return [joined(line.value).strip() for line in card.contents.get(name, []) if isinstance(line.value, (str, list))]


def told(card):
    name = card.contents.get("n", [None])[0]
    organization = card.contents.get("org", [None])[0]
    return {
        "full_name": next(iter(texts(card, "fn")), ""),
        "name_surname": joined(name.value.family).strip() if name else "",
        "name_given": joined(name.value.given).strip() if name else "",
        "organization": organization.value[0].strip() if organization else "",
        "emails": [text for text in texts(card, "email") if text],
        "phones": [text for text in texts(card, "tel") if text],
        "uid": next(iter(texts(card, "uid")), ""),
        "title": next(iter(texts(card, "title")), ""),
        "notes": next(iter(texts(card, "note")), ""),
        "streets": [joined(line.value.street).strip() for line in card.contents.get("adr", [])],
    }


def main():
    results = {}
    for path in sys.argv[1:]:
        try:
            cards = vobject.readComponents(text_of(path), allowQP=True)
            results[Path(path).stem] = {"cards": [told(card) for card in cards]}
        except Exception as error:
            results[Path(path).stem] = {"error": f"{type(error).__name__}: {error}"}
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
