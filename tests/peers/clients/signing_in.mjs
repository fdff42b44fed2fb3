// What signing_in.py does, for clients that run on Node.

const CALLBACK = "http://localhost:3999/callback";

/** The address to which the browser is sent once the agent's key was entered on the page at `url`. @param {URL} url */
export async function enterKey(url) {
  const page = await (await fetch(url)).text();
  const [, form] = page.match(/name="form" value="([^"]+)"/);
  const [, keyField] = page.match(/<input[^>]*name="([^"]+)"[^>]*type="password"/);
  const body = new URLSearchParams({ form, [keyField]: process.env.MCP_KEY });
  const answer = await fetch(new URL("/authorize", url), { method: "POST", body, redirect: "manual", headers: { origin: url.origin } });
  const location = answer.headers.get("location");
  if (location === null) throw new Error(`the page does not lead on: ${answer.status}`);
  return new URL(location);
}

/** The client's way to sign in, and what was told at its end. */
export function provider() {
  const kept = {};
  return {
    told: () => kept.told,
    redirectUrl: CALLBACK,
    clientMetadataUrl: process.env.MCP_CLIENT_DOCUMENT,
    clientMetadata: {
      client_name: "Official client",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
    redirectToAuthorization: async (url) => void (kept.told = (await enterKey(url)).searchParams),
    invalidateCredentials: (scope) => {
      if (scope === "all" || scope === "client") delete kept.client;
      if (scope === "all" || scope === "tokens") delete kept.tokens;
    },
  };
}

/**
 * Connects by a sign-in: the first attempt is refused and leads to it.
 *
 * @param {(options: object) => any} make makes a transport with these options
 * @param {(transport: any) => Promise<void>} connect connects by it
 * @param {(transport: any, told: URLSearchParams) => Promise<void>} finish hands over what was told
 */
export async function connectSignedIn(make, connect, finish) {
  const authProvider = provider();
  const transport = make({ authProvider });
  try {
    await connect(transport);
    return transport;
  } catch (error) {
    if (!authProvider.told()) throw error;
  }
  await finish(transport, authProvider.told());
  const signedIn = make({ authProvider });
  await connect(signedIn);
  return signedIn;
}
