"""The official Python client, `mcp` 2.x. MODE is auto, legacy or a version that it is pinned to."""

import asyncio

import httpx2
import mcp
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult

import dialogue
import signing_in


class Client:
    protocol_error = mcp.MCPError

    def __init__(self, client, provider):
        self.client = client
        self.provider = provider

    def greeting(self):
        # A pinned client skips the discovery that would tell it the server's name.
        server = self.client.server_info
        return {
            "version": self.client.protocol_version,
            "server": server and server.name,
            "instructions": self.client.instructions,
        }

    async def list(self):
        listed = await self.client.list_tools()
        return {"tools": [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools]}

    async def call(self, tool, arguments):
        result = await self.client.call_tool(tool, arguments)
        return {
            "error": bool(result.is_error),
            "text": [block.text for block in result.content],
            "structured": result.structured_content,
        }

    async def expire(self):
        return await dialogue.expire(self.provider)

    async def abandon(self, call):
        # When the caller is cancelled, the client notifies the server in the way of its era.
        call.cancel()
        await asyncio.wait([call])


async def visit(url, mode):
    provider = dialogue.signs_in() and signing_in.provider(url, httpx2.AsyncClient, lambda told: AuthorizationCodeResult(**told))
    way_in = {"auth": provider} if provider else {"headers": dialogue.bearer()}
    async with httpx2.AsyncClient(**way_in, timeout=None) as http:
        transport = streamable_http_client(url, http_client=http)
        async with mcp.Client(transport, mode=mode) as client:
            await dialogue.converse(Client(client, provider or None))


dialogue.main(visit)
