"""Reads an account with the official client of Microsoft Graph, its files as they are: `judge.py BASE_URL`, which ends in /v1.0.

Prints what it read, as JSON.
"""

import asyncio
import json
import sys

from kiota_abstractions.authentication import AnonymousAuthenticationProvider
from kiota_abstractions.base_request_configuration import RequestConfiguration
from msgraph import GraphRequestAdapter, GraphServiceClient
from msgraph.generated.users.item.calendars.item.calendar_view.delta.delta_request_builder import (
    DeltaRequestBuilder as ViewDelta,
)

BASE = sys.argv[1]
FROM, TO = "2026-01-01T00:00:00Z", "2026-12-31T00:00:00Z"


async def delta(builder, configuration=None):
    """All pages of a delta query, then its changes."""
    page = await builder.get(request_configuration=configuration)
    values = list(page.value)
    while page.odata_next_link:
        page = await builder.with_url(page.odata_next_link).get()
        values += page.value
    assert page.odata_delta_link
    again = await builder.with_url(page.odata_delta_link).get()
    assert again.value == [] and again.odata_delta_link
    return values


async def main():
    adapter = GraphRequestAdapter(AnonymousAuthenticationProvider())
    adapter.base_url = BASE
    me = GraphServiceClient(request_adapter=adapter).me
    read = {}
    contacts = await delta(me.contacts.delta)
    read["contacts"] = {one.id: one.display_name for one in contacts}
    folders = await delta(me.contact_folders.delta)
    read["contactFolders"] = {one.id: one.display_name for one in folders}
    for folder in folders:
        inner = me.contact_folders.by_contact_folder_id(folder.id).contacts
        for one in await delta(inner.delta):
            read["contacts"][one.id] = one.display_name
    folders = await delta(me.mail_folders.delta)
    read["mailFolders"] = {one.id: one.display_name for one in folders}
    inbox = await me.mail_folders.by_mail_folder_id("inbox").get()
    read["inbox"], read["messages"] = inbox.id, {}
    for folder in folders:
        inner = me.mail_folders.by_mail_folder_id(folder.id).messages
        for one in await delta(inner.delta):
            sender = one.from_.email_address.address
            at = one.received_date_time.isoformat()
            read["messages"][one.id] = [one.subject, sender, one.body.content, one.is_read, at]
    attachments = await me.messages.by_message_id("m0").attachments.get()
    read["attachments"] = {one.id: [one.name, one.size] for one in attachments.value}
    calendars = await me.calendars.get()
    read["calendars"], read["events"] = {one.id: one.name for one in calendars.value}, {}
    window = ViewDelta.DeltaRequestBuilderGetQueryParameters(start_date_time=FROM, end_date_time=TO)
    window = RequestConfiguration(query_parameters=window)
    for calendar in calendars.value:
        view = me.calendars.by_calendar_id(calendar.id).calendar_view
        for one in await delta(view.delta, window):
            read["events"][one.id] = [one.type and one.type.value, one.series_master_id]
    series = await me.events.by_event_id("s").get()
    read["series"] = {
        "cancelled": series.cancelled_occurrences,
        "exceptions": [one.original_start.isoformat() for one in series.exception_occurrences],
        "pattern": series.recurrence.pattern.type.value,
    }
    print(json.dumps(read))


asyncio.run(main())
