// The official TypeScript client, `@modelcontextprotocol/sdk` 1.x, which knows sessions only. MODE is legacy.

import { bearer, main, peer, told } from "./dialogue.mjs";

const { Client } = peer("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = peer("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { McpError } = peer("@modelcontextprotocol/sdk/types.js");

async function connect(url) {
  const client = new Client({ name: "typescript-v1", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: bearer() } },
  });
  await client.connect(transport);
  return {
    greeting: () => ({
      version: transport.protocolVersion,
      server: client.getServerVersion().name,
      instructions: client.getInstructions(),
    }),
    list: async () => ({ tools: (await client.listTools()).tools }),
    call: async (name, given, signal) =>
      told(await client.callTool({ name, arguments: given }, undefined, { signal })),
    isProtocolError: (error) => error instanceof McpError,
  };
}

await main(connect);
