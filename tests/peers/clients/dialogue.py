"""The dialogue that every client holds with a test: a line of JSON in, a line of JSON out.

A program takes URL and MODE, with the key in MCP_KEY. Its first line says what the client learnt when it connected,
{"version", "server", "instructions"}, or {"refused": ...}. Then each line in is answered by one:

    ["list"]                    -> {"tools": [...]}, as the server declares them
    ["call", tool, arguments]   -> {"error", "text", "structured"}
    ["begin", tool, arguments]  -> {"begun": true}: the call is under way
    ["cancel"]                  -> {"cancelled": true}: the client gave the begun call up, in its own way
    ["end"]                     -> what the begun call came to
    ["expire"]                  -> {"expired": true}: what the client keeps of its token has ended, if it looks at a clock of its own

With MCP_SIGN_IN the key is not sent: the client signs in with it (signing_in.py).

An answer that is an error of the protocol is {"code", "message"}; whatever else a client raises is {"failed": ...}.
"""

import asyncio
import json
import os
import sys


def say(value):
    print(json.dumps(value), flush=True)


def signs_in():
    return "MCP_SIGN_IN" in os.environ


async def expire(provider):
    """Waits until the client thinks that its access token has ended."""
    while provider is not None and provider.context.is_token_valid():
        await asyncio.sleep(0.05)
    return {"expired": True}


def bearer():
    return {"Authorization": f"Bearer {os.environ['MCP_KEY']}"}


async def outcome(protocol_error, answer):
    try:
        return await answer
    except protocol_error as error:
        return {"code": error.error.code, "message": error.error.message}
    except Exception as error:
        return {"failed": repr(error)}


async def converse(client):
    """Serves the dialogue; `client` has greeting, list, call, abandon and the class of its protocol's errors."""
    say(client.greeting())
    begun = None
    while line := await asyncio.to_thread(sys.stdin.readline):
        verb, *rest = json.loads(line)
        if verb == "begin":
            begun = asyncio.create_task(outcome(client.protocol_error, client.call(*rest)))
            say({"begun": True})
        elif verb == "cancel":
            await client.abandon(begun)
            say({"cancelled": True})
        elif verb == "end":
            say(await begun)
        else:
            say(await outcome(client.protocol_error, getattr(client, verb)(*rest)))


def main(visit):
    """Runs `visit(url, mode)`, which connects and serves the dialogue."""
    try:
        asyncio.run(visit(sys.argv[1], sys.argv[2]))
    except BaseException as error:  # The clients wrap what happened in groups of groups.
        say({"refused": repr(error)})
