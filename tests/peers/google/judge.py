"""What Google's official client sees: `judge.py ORIGIN AUTHORITY TOKEN calendar|people`, as JSON.

The client is unmodified: only its endpoint and the certificate authority are another. With a token of a list as a fifth argument it
asks for what changed.
"""

import json
import sys

import google_auth_httplib2
import httplib2
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

origin, authority, token, service, *sync = sys.argv[1:]
base = {"calendar": origin + "/calendar/v3/", "people": origin + "/"}[service]
version = {"calendar": "v3", "people": "v1"}[service]
http = google_auth_httplib2.AuthorizedHttp(Credentials(token), http=httplib2.Http(ca_certs=authority))
client = build(service, version, http=http, static_discovery=True, client_options={"api_endpoint": base})


def pages(collection, request, field):
    """All items of a list, and the token of its last page."""
    items = []
    while True:
        answer = request.execute()
        items += answer.get(field, [])
        following = collection.list_next(request, answer)
        if following is None:
            return items, answer.get("nextSyncToken")
        request = following


def calendars():
    listed = client.calendarList()
    entries, _ = pages(listed, listed.list(showHidden=True), "items")
    told = {}
    for entry in entries:
        events = client.events()
        changes = {"syncToken": sync[0]} if sync else {}
        items, after = pages(events, events.list(calendarId=entry["id"], singleEvents=False, **changes), "items")
        told[entry["id"]] = [sorted(items, key=lambda event: event["id"]), after]
    return told


def people():
    connections = client.people().connections()
    changes = {"syncToken": sync[0]} if sync else {}
    fields = "names,emailAddresses,memberships,metadata"
    request = connections.list(resourceName="people/me", personFields=fields, requestSyncToken=True, **changes)
    items, after = pages(connections, request, "connections")
    groups = client.contactGroups()
    listed, _ = pages(groups, groups.list(), "contactGroups")
    names = [group["resourceName"] for group in listed]
    members = groups.batchGet(resourceNames=names, maxMembers=1000).execute()["responses"]
    return [items, after, [answer["contactGroup"] for answer in members]]


try:
    print(json.dumps({"told": calendars() if service == "calendar" else people()}))
except HttpError as refused:
    print(json.dumps({"status": refused.status_code, "reason": refused.reason, "details": refused.error_details}))
