"""The official Python client, `mcp` 1.x, which knows sessions only. MODE is legacy."""

import asyncio

import httpx
from mcp import ClientSession, McpError, types
from mcp.client.streamable_http import streamable_http_client

import dialogue
import signing_in


class Client:
    protocol_error = McpError

    def __init__(self, session, initialized, provider):
        self.session = session
        self.provider = provider
        self.initialized = initialized

    def greeting(self):
        return {
            "version": self.initialized.protocolVersion,
            "server": self.initialized.serverInfo.name,
            "instructions": self.initialized.instructions,
        }

    async def list(self):
        listed = await self.session.list_tools()
        return {"tools": [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools]}

    async def call(self, tool, arguments):
        result = await self.session.call_tool(tool, arguments)
        return {
            "error": bool(result.isError),
            "text": [block.text for block in result.content],
            "structured": result.structuredContent,
        }

    async def expire(self):
        return await dialogue.expire(self.provider)

    async def abandon(self, call):
        # It leaves the cancellation notice to its host, and numbers its requests without a gap.
        latest = self.session._request_id - 1
        parameters = types.CancelledNotificationParams(requestId=latest)
        cancelled = types.CancelledNotification(method="notifications/cancelled", params=parameters)
        await self.session.send_notification(types.ClientNotification(cancelled))
        call.cancel()
        await asyncio.wait([call])


async def visit(url, mode):
    provider = dialogue.signs_in() and signing_in.provider(url, httpx.AsyncClient, lambda told: (told["code"], told["state"]))
    way_in = {"auth": provider} if provider else {"headers": dialogue.bearer()}
    async with httpx.AsyncClient(**way_in, timeout=None) as http:
        async with streamable_http_client(url, http_client=http) as (read, write, _):
            async with ClientSession(read, write) as session:
                await dialogue.converse(Client(session, await session.initialize(), provider or None))


dialogue.main(visit)
