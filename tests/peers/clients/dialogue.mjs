// The dialogue of dialogue.py for clients that run on Node. Packages are found in the folder that the program runs in.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

export const peer = createRequire(`${process.cwd()}/`);

export const bearer = () => `Bearer ${process.env.MCP_KEY}`;

/** Whether the key is not sent, and the client signs in with it (signing_in.mjs). */
export const signsIn = () => "MCP_SIGN_IN" in process.env;

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const outcome = (client, answer) =>
  answer.catch((error) =>
    client.isProtocolError(error)
      ? { code: error.code, message: error.message }
      : { failed: `${error.name}: ${error.message}` });

/** Serves the dialogue; `client` has greeting, list, call (with a signal that cancels) and isProtocolError. */
async function converse(client) {
  say(client.greeting());
  let begun, cancelling;
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, ...rest] = JSON.parse(line);
    if (verb === "begin") {
      cancelling = new AbortController();
      begun = outcome(client, client.call(...rest, cancelling.signal));
      say({ begun: true });
    } else if (verb === "cancel") {
      cancelling.abort();
      await begun;
      say({ cancelled: true });
    } else if (verb === "expire") {
      // These clients ask for another token when theirs is refused.
      say({ expired: true });
    } else if (verb === "end") {
      say(await begun);
    } else {
      say(await outcome(client, client[verb](...rest)));
    }
  }
}

/** Runs `connect(url, mode)`, and serves the dialogue with the client that it returns. */
export async function main(connect) {
  try {
    await converse(await connect(process.argv[2], process.argv[3]));
    process.exit(0);
  } catch (error) {
    say({ refused: `${error.name}: ${error.message}` });
    process.exit(1);
  }
}

/** A result of tools/call, in the dialogue's form. */
export const told = (result) => ({
  error: result.isError === true,
  text: result.content.map((block) => block.text),
  structured: result.structuredContent ?? null,
});
