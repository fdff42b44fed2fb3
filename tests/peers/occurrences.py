"""Expands the events of iCalendar files with python-dateutil, as a peer to formats/src/recurrence.

It shares no code with it: it reads the files itself, leaves the stepping of rules to dateutil, and
does the rest by RFC 5545. Where dateutil is known to leave RFC 5545, it is led around that place:
a BYWEEKNO without a day means the weekday of DTSTART; weeks are numbered here, since dateutil takes
the length of the wrong year for the last week before January; BYDAY=MO,1TU is a union; BYSETPOS in
a weekly rule counts over the whole week, also the one in which the series starts.

usage: occurrences.py NOW OPERATOR_ZONE FILE...   prints one JSON object: file -> series -> result
"""

import json
import re
import sys
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

from dateutil import rrule
from dateutil.relativedelta import relativedelta

OCCURRENCES_MAX = 5000
HELD_MAX = 8 * OCCURRENCES_MAX
DISORDER = timedelta(days=2)
UTC = timezone.utc
FREQUENCIES = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


class Skip(Exception):
    """The series needs something that this peer does not support, such as a VTIMEZONE of its own."""


def text_of(path):
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return re.sub(r"\r?\n[ \t]", "", text)


def content_line(line):
    """Name, parameters and value of a line; separators in quotes do not count."""
    head = re.match(r'((?:[^":]|"[^"]*")*):', line)
    fields = re.findall(r'(?:[^";]|"[^"]*")+', head.group(1)) if head else []
    if not fields:
        return None
    name, *parameters = fields
    pairs = (parameter.partition("=") for parameter in parameters)
    return name.upper(), {k.upper(): v.strip('"') for k, _, v in pairs}, line[head.end():]


def events(text):
    """The properties of each VEVENT, without those of its parts."""
    stack = []
    for line in re.split(r"\r?\n|\r", text):
        parts = content_line(line)
        if not parts:
            continue
        name, _, value = parts
        if name == "BEGIN":
            stack.append((value.strip().upper(), []))
        elif name == "END" and stack:
            kind, lines = stack.pop()
            if kind == "VEVENT":
                yield lines
        elif stack:
            stack[-1][1].append(parts)


def first(event, name):
    return next((line for line in event if line[0] == name), None)


class Point:
    """A date, a local time with or without a zone, or an instant (zone UTC)."""

    def __init__(self, text, parameters):
        text = text.strip()
        self.is_date = re.fullmatch(r"\d{8}", text) is not None
        if not self.is_date and not re.fullmatch(r"\d{8}T\d{6}Z?", text):
            raise Skip("a date that cannot be read")
        try:
            self.local = datetime.strptime(text[:15], "%Y%m%d" if self.is_date else "%Y%m%dT%H%M%S")
        except ValueError as error:
            raise Skip("a date that cannot be read") from error
        self.zone = UTC if text.endswith("Z") else zone(parameters.get("TZID"))


def zone(name):
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except Exception as error:
        raise Skip(f"zone {name}") from error


def instant(local, tz):
    return local.replace(tzinfo=tz, fold=0).astimezone(UTC)


def duration(text):
    pattern = r"\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?"
    match = re.fullmatch(pattern, text.strip())
    if not match:
        raise Skip("a duration that cannot be read")
    weeks, days, hours, minutes, seconds = (int(group or 0) for group in match.groups())
    return timedelta(days=7 * weeks + days), timedelta(hours=hours, minutes=minutes, seconds=seconds)


class Timing:
    """DTSTART with DTEND or DURATION, as instants; dates are their midnights in UTC."""

    def __init__(self, event, operator_zone):
        name, parameters, value = first(event, "DTSTART")
        point = Point(value, parameters)
        self.is_date = point.is_date
        self.is_floating = not point.is_date and point.zone is None
        self.zone = UTC if point.is_date else point.zone or operator_zone
        self.start = instant(point.local, self.zone)
        self.local = self.start.astimezone(self.zone).replace(tzinfo=None)
        self.nominal = None
        self.end = self.read_end(event)

    def read_end(self, event):
        if end := first(event, "DTEND"):
            point = Point(end[2], end[1])
            if point.is_date != self.is_date:
                raise Skip("an end of another kind than the start")
            tz = UTC if point.is_date else point.zone or self.zone
            return max(instant(point.local, tz), self.start + timedelta(days=self.is_date))
        if length := first(event, "DURATION"):
            self.nominal = duration(length[2])
            return self.end_of(self.local, self.start)
        return self.start + timedelta(days=self.is_date)

    def end_of(self, local, at):
        if self.nominal is None:
            return at + (self.end - self.start)
        days, rest = self.nominal
        end = instant(local + days, self.zone) + rest
        if self.is_date:
            end = max(at + timedelta(days=-(-(end - at) // timedelta(days=1))), at + timedelta(days=1))
        return end

    def place(self, point):
        if self.is_date:
            local = point.local.replace(hour=0, minute=0, second=0)
            return local, instant(local, UTC)
        if point.is_date:
            local = datetime.combine(point.local.date(), self.local.time())
            return local, self.at(local)
        if point.zone is None:
            return point.local, self.at(point.local)
        at = instant(point.local, point.zone)
        return at.astimezone(self.zone).replace(tzinfo=None), at

    def at(self, local):
        return self.start if local == self.local else instant(local, self.zone)

    def key(self, local, at):
        if self.is_date:
            return local.strftime("%Y-%m-%d")
        return local.isoformat() if self.is_floating else written(at)


def written(at):
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def week_of(day, week_start):
    """The number of the week and how many its year has; 28 December is always in the last."""
    fourth = lambda day: day + timedelta(days=3 - (day.weekday() - week_start) % 7)
    number = lambda day: (fourth(day).timetuple().tm_yday - 1) // 7 + 1
    return number(day), number(date(fourth(day).year, 12, 28))


class Rule:
    def __init__(self, text, timing):
        parts = dict(part.split("=", 1) for part in text.strip().upper().split(";") if part)
        self.timing = timing
        self.count = int(parts.pop("COUNT")) if "COUNT" in parts else None
        self.until = self.read_until(parts.pop("UNTIL", None))
        self.weeks = [int(number) for number in parts.get("BYWEEKNO", "").split(",") if number]
        self.options = self.read(parts)

    def read_until(self, text):
        if text is None:
            return None
        point = Point(text, {})
        if point.is_date and not self.timing.is_date:
            return instant(point.local + timedelta(days=1), self.timing.zone) - timedelta(seconds=1)
        return self.timing.place(point)[1]

    def read(self, parts):
        frequency = FREQUENCIES.index(parts.pop("FREQ"))
        options = {"freq": frequency, "dtstart": self.timing.local}
        options["interval"] = int(parts.pop("INTERVAL", 1))
        options["wkst"] = WEEKDAYS.index(parts.pop("WKST", "MO"))
        by_day = parts.pop("BYDAY", None)
        for name, value in parts.items():
            if not name.startswith("BY"):
                raise Skip(f"part {name}")
            options[name.lower()] = [int(number) for number in value.split(",")]
        if by_day:
            options["byweekday"] = self.weekdays(by_day, frequency, "BYMONTH" in parts)
        elif "BYWEEKNO" in parts and not {"BYMONTHDAY", "BYYEARDAY"} & parts.keys():
            options["byweekday"] = [self.timing.local.weekday()]
        options.pop("byweekno", None)
        if "BYWEEKNO" in parts and "BYSETPOS" in parts:
            raise Skip("positions among numbered weeks")
        if frequency == rrule.WEEKLY and "BYSETPOS" in parts:
            self.start_with_the_week(options)
        return options

    @staticmethod
    def weekdays(text, frequency, has_months):
        items = [re.fullmatch(r"([+-]?\d+)?(\w\w)", item.strip()).groups() for item in text.split(",")]
        if frequency <= rrule.MONTHLY and any(nth for nth, _ in items):
            last = 5 if frequency == rrule.MONTHLY or has_months else 53
            every = range(1, last + 1)
            items = [(n, day) for nth, day in items for n in ([nth] if nth else every)]
        return [
            rrule.weekday(WEEKDAYS.index(day), int(nth) if nth else None) for nth, day in items
        ]

    @staticmethod
    def start_with_the_week(options):
        start = options["dtstart"]
        options.setdefault("byhour", [start.hour])
        options.setdefault("byminute", [start.minute])
        options.setdefault("bysecond", [start.second])
        options.setdefault("byweekday", [start.weekday()])
        into_week = (start.weekday() - options["wkst"]) % 7
        options["dtstart"] = start.replace(hour=0, minute=0, second=0) - timedelta(days=into_week)

    def in_weeks(self, local):
        number, weeks = week_of(local.date(), self.options["wkst"])
        return not self.weeks or number in self.weeks or number - weeks - 1 in self.weeks

    def places(self, last, counts_start):
        """Local times with their instants, none after `last`."""
        left = self.count
        if left is not None and counts_start:
            left -= 1
        last = min(last, self.until) if self.until else last
        for local in rrule.rrule(**self.options):
            if left == 0 or local - DISORDER > last.replace(tzinfo=None):
                return
            at = self.timing.at(local)
            is_start = counts_start and local == self.timing.local
            if local < self.timing.local or is_start or at > last or not self.in_weeks(local):
                continue
            left = left - 1 if left is not None else None
            yield local, at


def recurrence(master, timing, now):
    """The set as {instant: (local, end)}, and the window of an endless series."""
    values = lambda name: [line[2] for line in master if line[0] == name and line[2].strip()]
    rules = [Rule(value, timing) for value in values("RRULE")]
    is_endless = any(rule.count is None and rule.until is None for rule in rules)
    window = (now - relativedelta(years=10), now + relativedelta(years=2)) if is_endless else None
    last = window[1] - timedelta(seconds=1) if window else datetime.max.replace(tzinfo=UTC) - 2 * DISORDER
    found = {timing.start: (timing.local, timing.end_of(timing.local, timing.start))}
    for rule in rules:
        taken = 0
        for local, at in rule.places(last, counts_start=True):
            if window is None or at >= window[0]:
                found[at] = (local, timing.end_of(local, at))
                taken += 1
            if taken > HELD_MAX:
                if window:
                    raise Skip("more than this peer can hold")
                break
    for name, parameters, value in master:
        if name == "RDATE":
            found.update(added(text, parameters, timing) for text in value.split(",") if text.strip())
    for at in excluded(master, timing, found, values("EXRULE")):
        found.pop(at, None)
    return found, window


def added(text, parameters, timing):
    start, _, length = text.partition("/")
    local, at = timing.place(Point(start, parameters))
    if not length:
        return at, (local, timing.end_of(local, at))
    if "P" in length:
        days, rest = duration(length)
        return at, (local, instant(local + days, timing.zone) + rest)
    return at, (local, max(timing.place(Point(length, parameters))[1], at))


def excluded(master, timing, found, exrules):
    for name, parameters, value in master:
        for text in value.split(",") if name == "EXDATE" else []:
            if not text.strip():
                continue
            point = Point(text, parameters)
            yield timing.place(point)[1]
            if point.is_date:
                yield from [at for at, (local, _) in found.items() if local.date() == point.local.date()]
    latest = max(found) if found else timing.start
    for text in exrules:
        yield from [at for _, at in Rule(text, timing).places(latest, counts_start=False)]


def status_of(event):
    status = first(event, "STATUS")
    status = status[2].strip().lower() if status else ""
    return status if status in ("tentative", "cancelled") else "confirmed"


class Exceptional:
    def __init__(self, event, timing, operator_zone):
        _, parameters, value = first(event, "RECURRENCE-ID")
        self.local, self.original = timing.place(Point(value, parameters))
        self.own = Timing(event, operator_zone) if first(event, "DTSTART") else None
        self.onwards = parameters.get("RANGE", "").upper() == "THISANDFUTURE"
        self.status = status_of(event)

    def moved(self, local, timing):
        """A later instance, moved as far as this one was."""
        own = self.own
        if not self.onwards or own is None or own.is_date != timing.is_date:
            return None
        distance = own.start.astimezone(timing.zone).replace(tzinfo=None) - self.local
        at = timing.at(local + distance)
        return at, at + (own.end - own.start)


def expand(master, exceptions, now, operator_zone):
    timing = Timing(master, operator_zone)
    found, window = recurrence(master, timing, now)
    exceptions = [Exceptional(event, timing, operator_zone) for event in exceptions]
    single = {exception.original: exception for exception in exceptions}
    inside = lambda at: window is None or window[0] <= at < window[1]
    set_ = dict(sorted((at, rest) for at, rest in found.items() if inside(at)))
    rows = []
    for at, (local, end) in set_.items():
        row, is_override, status = (at, end), False, status_of(master)
        onwards = [e for e in exceptions if e.onwards and e.original < at]
        is_date = timing.is_date
        if exception := single.get(at):
            own = exception.own
            row, is_override, status = (own.start, own.end) if own else row, True, exception.status
            is_date = own.is_date if own else is_date
        elif onwards:
            exception = max(onwards, key=lambda e: e.original)
            moved = exception.moved(local, timing)
            own = exception.own
            row, is_override, status = moved or row, True, exception.status
        rows.append((*row, timing.key(local, at), status, is_override, is_date))
    for at, exception in single.items():
        if at not in set_:
            own = exception.own
            row = (own.start, own.end) if own else (at, at + timedelta(days=timing.is_date))
            is_date = own.is_date if own else timing.is_date
            key = timing.key(exception.local, at)
            rows.append((*row, key, exception.status, True, is_date))
    rows = sorted(row for row in rows if inside(row[0]))
    if window is None:
        rows = rows[:OCCURRENCES_MAX]
    return [as_text(*row) for row in rows]


def as_text(start, end, key, status, is_override, is_date):
    form = (lambda at: at.strftime("%Y-%m-%d")) if is_date else written
    return f"{key} {form(start)}/{form(end)} {status}{' override' if is_override else ''}"


def series_of(path):
    """Masters by UID, numbered when one UID has several; exceptions go to the first."""
    masters, exceptions = {}, {}
    for event in events(text_of(path)):
        uid = first(event, "UID")
        uid = uid[2].strip() if uid else ""
        if first(event, "RECURRENCE-ID"):
            exceptions.setdefault(uid, []).append(event)
        elif first(event, "DTSTART"):
            number = sum(1 for name, _ in masters if name == uid)
            masters[uid, number] = event
    for (uid, number), master in masters.items():
        yield f"{uid}#{number}", master, exceptions.get(uid, []) if number == 0 else []


def main():
    now = datetime.strptime(sys.argv[1], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    operator_zone = ZoneInfo(sys.argv[2])
    results = {}
    for name in sys.argv[3:]:
        results[name] = {}
        for key, master, exceptions in series_of(Path(name)):
            try:
                result = {"occurrences": expand(master, exceptions, now, operator_zone)}
            except Skip as skip:
                result = {"skipped": str(skip)}
            except (ValueError, KeyError, AttributeError, OverflowError) as error:
                result = {"skipped": f"{type(error).__name__}: {error}"}
            results[name][key] = result
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
