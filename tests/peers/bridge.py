"""Reads a stand-in of a SimpleFIN bridge with a client that nobody here wrote, and prints what it was told, as JSON.

    bridge.py BASE TOKEN START END

BASE is an address such as http://127.0.0.1:4010; START and END are seconds since 1970. The client knows version 1 of the protocol, and
asks without dates, upon which a bridge tells no payments: the dates go along as a part of the address that it is given.
"""

import asyncio
import base64
import json
import sys

from simplefin4py import SimpleFin


async def read(base, token, start, end):
    """The access that a token is given for, what it leads to, and what a second claim comes to."""
    claim = SimpleFin.decode_claim_token(token).split("/simplefin/")[1]
    here = base64.b64encode(f"{base}/simplefin/{claim}".encode()).decode()
    access = await SimpleFin.claim_setup_token(here)
    scheme, rest, user = SimpleFin.decode_access_url(access)
    path = rest.split("/", 1)[1]
    address = base.replace("://", f"://{user}@")
    asked = f"{address}/{path}/accounts?start-date={start}&end-date={end}&pending=1&path="
    told = await SimpleFin(asked).fetch_data()
    try:
        again = await SimpleFin.claim_setup_token(here)
    except Exception as refusal:  # whichever the client has for it
        again = type(refusal).__name__
    return {
        "scheme": scheme,
        "errors": told.errors,
        "accounts": [
            {
                "id": account.id,
                "name": account.name,
                "currency": account.currency,
                "balance": str(account.balance),
                "bank": account.org.name,
                "domain": account.org.domain,
                "transactions": [
                    {"id": own.id, "amount": str(own.amount), "description": own.description}
                    for own in account.transactions
                ],
            }
            for account in told.accounts
        ],
        "claimed again": again,
    }


json.dump(asyncio.run(read(*sys.argv[1:])), sys.stdout)
