"""Links a bank at a stand-in of Enable Banking with a client that nobody here wrote, and prints what it was told, as JSON.

    bank_app.py BASE APPLICATION KEY REDIRECT

BASE is an address such as http://127.0.0.1:4010, KEY the file of the application's key. The first line printed is the state that a
consent was begun with; the code that the browser would come back with is then read as a line. The client knows neither what is booked
from what is pending, nor the status of a consent, nor the application itself.
"""

import json
import sys
from datetime import datetime, timedelta, timezone

from enablebanking_sdk.exceptions import EnableBankingException
from enablebanking_sdk.service.integration import EnableBankingIntegration

base, application, key, redirect = sys.argv[1:]
client = EnableBankingIntegration(base_url=base, app_id=application, certificate=open(key).read())

banks = client.get_aspsps(country="FI", psu_type="personal")["aspsps"]
until = datetime.now(timezone.utc) + timedelta(days=80)
client.start_user_session(
    {
        "access": {"valid_until": until.isoformat(timespec="seconds"), "balances": True, "transactions": True},
        "aspsp": {"name": banks[0]["name"], "country": banks[0]["country"]},
        "state": "state-of-the-client",
        "redirect_url": redirect,
        "psu_type": "personal",
    }
)
print("state-of-the-client", flush=True)
session = client.authorize_user_session(sys.stdin.readline().strip())
uid = session["accounts"][0]["uid"]
transactions, following = [], None
while True:
    page = client.get_account_transactions(uid, continuation_key=following)
    transactions += page["transactions"]
    following = page.get("continuation_key")
    if not following:
        break
told = {
    "banks": [bank["name"] for bank in banks],
    "accounts": session["accounts"],
    "details": client.get_account_details(uid),
    "balances": client.get_account_balances(uid)["balances"],
    "transactions": transactions,
}
client.delete_user_session(session["session_id"])
try:
    client.get_account_balances(uid)
except EnableBankingException as refusal:
    told["after the end"] = refusal.response.status_code
json.dump(told, sys.stdout)
