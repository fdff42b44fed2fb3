"""Holds what is asked of Microsoft Graph, and what it answers, to the types that Microsoft publishes and to what its pages say.

Usage: contract.py SCHEMA. Each line that comes in is one exchange as JSON, {"target": path and query, "status", "body": a text}; for each
goes out one line, a list of what is wrong with it.
"""

import json
import re
import sys
from datetime import datetime
from functools import cache
from urllib.parse import parse_qsl, unquote, urlsplit

import jsonschema

SCHEMA = json.load(open(sys.argv[1], encoding="utf-8"))
# What lies at a path that ends in this word; with an id behind it lies one of them.
LISTS = {
    "contacts": "Contact",
    "contactFolders": "ContactFolder",
    "mailFolders": "MailFolder",
    "messages": "Message",
    "attachments": "Attachment",
    "calendars": "Calendar",
    "calendarView": "Event",
    "events": "Event",
}
# What has a name of its own.
SINGLES = {"calendar": "Calendar", "contactFolders/contacts": "ContactFolder"}
WINDOW = {"startDateTime", "endDateTime"}
TOKENS = {"$skiptoken", "$deltatoken"}
# What the generator cannot say: that a text is an instant.
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?Z$")
INSTANTS = re.compile(r"(.*[dD]ateTime|originalStart|birthday)$")
# Texts of that name that are local times, with a zone beside them.
LOCAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}$")


def place(path):
    """The type of what lies at a path, whether it is a list, and whether it tells changes."""
    path = path.removeprefix("/v1.0/me/")
    if path in SINGLES:
        return SINGLES[path], False, False
    parts = path.split("/")
    tells_changes = parts[-1] in ("delta", "delta()")
    parts = parts[:-1] if tells_changes else parts
    if parts[-1] in LISTS:
        return LISTS[parts[-1]], True, tells_changes
    if len(parts) > 1 and parts[-2] in LISTS and not tells_changes:
        return LISTS[parts[-2]], False, False
    return None


@cache
def validator(kind):
    return jsonschema.Draft7Validator({**SCHEMA, "$ref": f"#/definitions/{kind}"})


def bare(value):
    """A value without what the protocol adds."""
    if isinstance(value, dict):
        return {name: bare(inner) for name, inner in value.items() if "@" not in name}
    return [bare(inner) for inner in value] if isinstance(value, list) else value


def is_moment(text):
    try:
        return bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def dates(value):
    """What should be a date within a value, and is none."""
    if isinstance(value, list):
        for inner in value:
            yield from dates(inner)
    if not isinstance(value, dict):
        return
    for name, inner in value.items():
        yield from dates(inner)
        if isinstance(inner, str) and INSTANTS.match(name):
            form = LOCAL if name == "dateTime" else INSTANT
            if not form.match(inner) or not is_moment(inner[:19]):
                yield f"{name} is no date: {inner}"


@cache
def wrong_object(kind, text):
    value = bare(json.loads(text))
    errors = [f"{kind} {error.json_path}: {error.message}" for error in validator(kind).iter_errors(value)]
    return [*errors, *dates(value)]


def wrong_request(kind, is_list, tells_changes, path, query):
    """By the pages of each request: what it takes, and what it does not."""
    taken = {"$select", "$expand"} | ({"$top", "$skip"} if is_list else set())
    if "/calendarView" in path:
        taken = WINDOW if tells_changes else taken | WINDOW
        if not TOKENS & query.keys() and "$skip" not in query and not WINDOW <= query.keys():
            yield "a view without its window"
    if tells_changes:
        taken = (taken | TOKENS) - {"$expand", "$skip"}
    yield from (f"{name} is not taken here" for name in query.keys() - taken)
    names = [*query.get("$select", "").split(","), *query.get("$expand", "").split(",")]
    properties = SCHEMA["definitions"][kind]["properties"]
    yield from (f"{kind} has no {name}" for name in names if name and name not in properties)


def wrong_answer(kind, is_list, tells_changes, body):
    if not is_list:
        return wrong_object(kind, json.dumps(body))
    if not isinstance(body.get("value"), list):
        return ["no list"]
    links = [name for name in ("@odata.nextLink", "@odata.deltaLink") if name in body]
    wrong = [] if set(bare(body)) == {"value"} else [f"a list with {sorted(body)}"]
    if len(links) > 1 or (tells_changes and not links) or ("@odata.deltaLink" in links and not tells_changes):
        wrong.append(f"a page that ends with {links}")
    for value in body["value"]:
        if "@removed" not in value:
            wrong += wrong_object(kind, json.dumps(value))
        elif not tells_changes or set(bare(value)) != {"id"} or set(value["@removed"]) != {"reason"}:
            wrong.append(f"removed: {value}")
    return wrong


def wrong_refusal(body):
    error = body.get("error")
    is_one = isinstance(error, dict) and all(isinstance(error.get(name), str) for name in ("code", "message"))
    return [] if is_one else ["a refusal without its code and message"]


def wrong(target, status, body):
    parts = urlsplit(target)
    known = place(unquote(parts.path))
    if known is None:
        return [f"nothing lies at {parts.path}"]
    kind, is_list, tells_changes = known
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    asked = list(wrong_request(kind, is_list, tells_changes, parts.path, query))
    try:
        answer = json.loads(body)
    except ValueError:
        return [*asked, "no JSON"]
    return asked + (wrong_answer(kind, is_list, tells_changes, answer) if status == 200 else wrong_refusal(answer))


for line in sys.stdin:
    print(json.dumps(wrong(**json.loads(line))), flush=True)
