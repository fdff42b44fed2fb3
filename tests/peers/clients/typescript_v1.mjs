// The official TypeScript client, `@modelcontextprotocol/sdk` 1.x, which knows sessions only. MODE is legacy.

import { bearer, main, peer, signsIn, told } from "./dialogue.mjs";
import { connectSignedIn } from "./signing_in.mjs";

const { Client } = peer("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = peer("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { McpError } = peer("@modelcontextprotocol/sdk/types.js");

async function connect(url) {
  const make = (options) => new StreamableHTTPClientTransport(new URL(url), options);
  let client, transport;
  const attempt = async (made) => {
    client = new Client({ name: "typescript-v1", version: "1" });
    transport = made;
    await client.connect(transport);
  };
  if (signsIn()) await connectSignedIn(make, attempt, (made, told) => made.finishAuth(told.get("code")));
  else await attempt(make({ requestInit: { headers: { Authorization: bearer() } } }));
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
