// The official TypeScript client, `@modelcontextprotocol/client` 2.x. MODE is auto, legacy or a version that it is pinned to.

import { bearer, main, peer, signsIn, told } from "./dialogue.mjs";
import { connectSignedIn } from "./signing_in.mjs";

const { Client, ProtocolError, StreamableHTTPClientTransport } = peer("@modelcontextprotocol/client");

const named = (mode) => (mode.startsWith("20") ? { pin: mode } : mode);

async function connect(url, mode) {
  const make = (options) => new StreamableHTTPClientTransport(new URL(url), options);
  let client;
  const attempt = async (transport) => {
    client = new Client({ name: "typescript-v2", version: "1" }, { versionNegotiation: { mode: named(mode) } });
    await client.connect(transport);
  };
  if (signsIn()) await connectSignedIn(make, attempt, (transport, told) => transport.finishAuth(told));
  else await attempt(make({ requestInit: { headers: { Authorization: bearer() } } }));
  return {
    greeting: () => ({
      version: client.getNegotiatedProtocolVersion(),
      server: client.getServerVersion()?.name ?? null,
      instructions: client.getInstructions() ?? null,
    }),
    list: async () => ({ tools: (await client.listTools()).tools }),
    call: async (name, given, signal) => told(await client.callTool({ name, arguments: given }, { signal })),
    isProtocolError: (error) => error instanceof ProtocolError,
  };
}

await main(connect);
