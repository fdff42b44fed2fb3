"""Reads a stand-in of WHOOP with two clients that nobody here wrote, their files as they are, and prints what they were told, as JSON.

    wearable.py BASE TOKEN START END

BASE is an address such as http://127.0.0.1:4010; START and END are instants between which lists are asked for. The clients know one
address only, which stands in constants of their modules: these are set here.
"""

import asyncio
import json
import sys
from datetime import datetime

import requests
import whoop.auth
import whoop.client
import whoopy.client_v2
from whoopy.utils.auth import TokenInfo


def told(ask, *values):
    """An answer, or the status of a refusal."""
    try:
        return ask(*values)
    except requests.HTTPError as refusal:
        return refusal.response.status_code


def by_whoop(base, token, start, end):
    """All routes of one person's data."""
    whoop.client.REQUEST_URL = f"{base}/developer"
    whoop.auth.REVOKE_URL = f"{base}/developer/v2/user/access"
    session = {"access_token": token, "token_type": "Bearer", "expires_at": 99999999999}
    with whoop.client.WhoopClient("id", "secret", token=session) as client:
        lists = {
            "sleeps": client.get_sleep_collection(start, end),
            "recoveries": client.get_recovery_collection(start, end),
            "cycles": client.get_cycle_collection(start, end),
            "workouts": client.get_workout_collection(start, end),
        }
        cycles = [cycle["id"] for cycle in lists["cycles"]]
        singles = {
            "sleeps": [told(client.get_sleep_by_id, one["id"]) for one in lists["sleeps"]],
            "recoveries": [told(client.get_recovery_for_cycle, cycle) for cycle in cycles],
            "cycles": [told(client.get_cycle_by_id, cycle) for cycle in cycles],
            "workouts": [told(client.get_workout_by_id, one["id"]) for one in lists["workouts"]],
            "sleeps of cycles": [told(client.get_sleep_for_cycle, cycle) for cycle in cycles],
        }
        person = [client.get_profile(), client.get_body_measurement()]
        client.revoke_access()
        return {
            "lists": lists,
            "singles": singles,
            "person": person,
            "after revocation": told(client.get_profile),
        }


async def by_whoopy(base, token, start, end):
    """Cycles, which its models check as they read them."""
    whoopy.client_v2.API_BASE = f"{base}/"
    session = TokenInfo(access_token=token, expires_in=3600, refresh_token=None, scopes=[])
    async with whoopy.client_v2.WhoopClientV2(token_info=session) as client:
        cycles = await client.cycles.get_all(
            start=datetime.fromisoformat(start), end=datetime.fromisoformat(end)
        )
        return [[cycle.id, cycle.is_complete, cycle.score_state] for cycle in cycles]


arguments = sys.argv[1:]
cycles = asyncio.run(by_whoopy(*arguments))
json.dump({"whoopy": cycles, "whoop": by_whoop(*arguments)}, sys.stdout)
