"""Speaks to the agent port through the official Python client and prints what it saw as one JSON object.

Usage: mcp_client.py URL MODE CALLS, with the key in MCP_KEY; MODE is auto, legacy or a version, CALLS a JSON list of
[tool, arguments]. A refused connection is reported as {"refused": "..."}.
"""

import asyncio
import json
import os
import sys

import httpx2
import mcp
from mcp.client.streamable_http import streamable_http_client


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


async def visit(url, mode, calls):
    headers = {"Authorization": f"Bearer {os.environ['MCP_KEY']}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(url, http_client=http)
        async with mcp.Client(transport, mode=mode) as client:
            listed = await client.list_tools()
            return {
                "version": client.protocol_version,
                "server": client.server_info and client.server_info.name,
                "instructions": client.instructions,
                "tools": [tool.name for tool in listed.tools],
                "titles": [tool.title for tool in listed.tools],
                "calls": [await call(client, tool, arguments) for tool, arguments in calls],
            }


def main():
    url, mode, calls = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    try:
        seen = asyncio.run(visit(url, mode, calls))
    except BaseException as error:  # The client wraps what happened in groups of groups.
        seen = {"refused": repr(error)}
    print(json.dumps(seen))


main()
