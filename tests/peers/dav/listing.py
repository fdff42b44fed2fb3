"""What a server holds, as clients that nobody here wrote see it.

Arguments: the address, the certificates' authority, user, password, and `calendar` or `contacts`. Prints a JSON object: the path
of each collection, with the path of each resource in it, with what stands in that: [uid, title, is an exception].
"""

import json
import sys
from urllib.parse import unquote, urljoin, urlsplit

import caldav
import requests
import vobject
from lxml import etree

address, authority, user, password, kind = sys.argv[1:]


def key(url):
    return unquote(urlsplit(str(url)).path).rstrip("/")


def calendars():
    client = caldav.DAVClient(
        url=address, username=user, password=password, ssl_verify_cert=authority
    )
    for calendar in client.principal().calendars():
        if "VEVENT" in calendar.get_supported_components():
            yield key(calendar.url), {key(event.url): events(event) for event in calendar.events()}


def events(resource):
    return [
        [str(event.get("UID")), str(event.get("SUMMARY")), "RECURRENCE-ID" in event]
        for event in resource.icalendar_instance.walk("VEVENT")
    ]


def find(url, depth):
    answer = requests.request(
        "PROPFIND",
        urljoin(address, url),
        auth=(user, password),
        verify=authority,
        headers={"Depth": depth, "Content-Type": "application/xml"},
        data="""<propfind xmlns="DAV:" xmlns:R="urn:ietf:params:xml:ns:carddav"><prop>
            <resourcetype/><current-user-principal/><R:addressbook-home-set/></prop></propfind>""",
        timeout=30,
    )
    answer.raise_for_status()
    return etree.fromstring(answer.content)


def texts(tree, path):
    return tree.xpath(path, namespaces={"D": "DAV:", "R": "urn:ietf:params:xml:ns:carddav"})


def address_books():
    principal = texts(find("/", "0"), "//D:current-user-principal/D:href/text()")[0]
    home = texts(find(principal, "0"), "//R:addressbook-home-set/D:href/text()")[0]
    for book in texts(find(home, "1"), "//D:response[.//R:addressbook]/D:href/text()"):
        members = texts(find(book, "1"), "//D:response[not(.//D:collection)]/D:href/text()")
        yield key(book), {key(member): cards(member) for member in members}


def cards(url):
    answer = requests.get(
        urljoin(address, url), auth=(user, password), verify=authority, timeout=30
    )
    answer.raise_for_status()
    return [
        [card.uid.value, card.fn.value, False]
        for card in vobject.readComponents(answer.content.decode())
    ]


print(json.dumps(dict(calendars() if kind == "calendar" else address_books())))
