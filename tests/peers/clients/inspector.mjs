// The Inspector's command line, one run for each line of the dialogue. MODE is passed on as the era: legacy, auto or modern.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { bearer, main, peer, signsIn, told } from "./dialogue.mjs";
import { enterKey } from "./signing_in.mjs";

const launcher = join(peer.resolve("@modelcontextprotocol/inspector/package.json"), "../clients/launcher/build/index.js");

/** Its exit code when a tool's result is an error; the result is printed all the same. */
const TOOL_FAILED = 5;

/** Opens the page that is named in what it says, as a browser would; where the key is refused there, the person gives up. */
function browse(giveUp) {
  let said = "";
  let isOpened = false;
  return async (bytes) => {
    said += bytes;
    const [, page] = said.match(/Please navigate to: (https:\S+)\s/) ?? [];
    if (!page || isOpened) return;
    isOpened = true;
    await enterKey(new URL(page)).then(fetch).catch(giveUp);
  };
}

function run(url, mode, wanted, signal) {
  const given = [launcher, "--cli", url, "--transport", "http", "--protocol-era", mode];
  // Its first run signs in, and later ones have what it has stored.
  const document = process.env.MCP_CLIENT_DOCUMENT;
  const known = document ? ["--client-metadata-url", document] : [];
  const way = signsIn() ? known : ["--stored-auth-only", "--header", `Authorization: ${bearer()}`];
  const form = ["--format", "json", ...(signsIn() ? [] : ["--quiet"])];
  const env = { ...process.env, MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" };
  const child = spawn(process.execPath, [...given, ...way, ...form, ...wanted], { env, signal, killSignal: "SIGINT" });
  const said = { out: "", err: "" };
  child.stdout.on("data", (bytes) => (said.out += bytes));
  child.stderr.on("data", (bytes) => (said.err += bytes));
  if (signsIn()) child.stderr.on("data", browse(() => child.kill("SIGINT")));
  return new Promise((resolve, reject) => {
    child.on("error", () => {});
    child.on("close", (code) => {
      const served = (code === 0 || code === TOOL_FAILED) && said.out !== "";
      served ? resolve(JSON.parse(said.out).result) : reject(new Error(`exit code ${code}: ${said.err || said.out}`));
    });
  });
}

async function connect(url, mode) {
  const ask = (wanted, signal) => run(url, mode, wanted, signal);
  await ask(["--method", "tools/list"]);
  return {
    // It prints nothing about the server.
    greeting: () => ({ version: null, server: null, instructions: null }),
    // With --strict it fails on any definition that some client could not accept.
    list: async () => ({ tools: (await ask(["--method", "tools/list", "--strict"])).tools }),
    call: async (name, given, signal) =>
      told(await ask(["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(given)], signal)),
    isProtocolError: () => false,
  };
}

await main(connect);
