"""Speaks to the agent port through the official Python client, a line of JSON at a time.

Usage: mcp_client.py URL MODE, with the key in MCP_KEY; MODE is auto, legacy or a version. The first line out says what
the client learnt when it connected, or {"refused": "..."}; then each line in, [tool, arguments], is answered by one.
"""

import asyncio
import json
import os
import sys

import httpx2
import mcp
from mcp.client.streamable_http import streamable_http_client


def say(value):
    print(json.dumps(value), flush=True)


async def call(client, tool, arguments):
    try:
        result = await client.call_tool(tool, arguments)
    except mcp.MCPError as error:
        return {"code": error.error.code, "message": error.error.message}
    return {
        "error": bool(result.is_error),
        "text": [block.text for block in result.content],
        "structured": result.structured_content,
    }


async def converse(client):
    listed = await client.list_tools()
    say({
        "version": client.protocol_version,
        "server": client.server_info and client.server_info.name,
        "instructions": client.instructions,
        "tools": [tool.name for tool in listed.tools],
        "titles": [tool.title for tool in listed.tools],
    })
    while line := await asyncio.to_thread(sys.stdin.readline):
        say(await call(client, *json.loads(line)))


async def visit(url, mode):
    headers = {"Authorization": f"Bearer {os.environ['MCP_KEY']}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(url, http_client=http)
        async with mcp.Client(transport, mode=mode) as client:
            await converse(client)


def main():
    try:
        asyncio.run(visit(sys.argv[1], sys.argv[2]))
    except BaseException as error:  # The client wraps what happened in groups of groups.
        say({"refused": repr(error)})


main()
