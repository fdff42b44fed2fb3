"""The client of fastmcp 3.x, over `mcp` 1.x, which knows sessions only. MODE is legacy."""

import asyncio

from fastmcp import Client as FastClient
from fastmcp.client.transports import StreamableHttpTransport
from mcp import McpError

import dialogue


class Client:
    protocol_error = McpError

    def __init__(self, client):
        self.client = client

    def greeting(self):
        initialized = self.client.initialize_result
        return {
            "version": initialized.protocolVersion,
            "server": initialized.serverInfo.name,
            "instructions": initialized.instructions,
        }

    async def list(self):
        listed = await self.client.list_tools()
        return {"tools": [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed]}

    async def call(self, tool, arguments):
        result = await self.client.call_tool(tool, arguments, raise_on_error=False)
        return {
            "error": result.is_error,
            "text": [block.text for block in result.content],
            "structured": result.structured_content,
        }

    async def abandon(self, call):
        await self.client.cancel(self.client.session._request_id - 1)
        call.cancel()
        await asyncio.wait([call])


async def visit(url, mode):
    transport = StreamableHttpTransport(url, headers=dialogue.bearer())
    async with FastClient(transport) as client:
        await dialogue.converse(Client(client))


dialogue.main(visit)
