// oauth2-mock-server made strict, and led astray on demand. By itself it takes any code and any token, any number of times; here
// the client must know its secret, a code serves once, and a refresh token serves once: whoever sends a spent one ends the whole
// family of tokens that came of one consent (RFC 9700, 4.14.2), as WHOOP does.
//
// Prints its address when it listens. The package is found in the folder that the program runs in.
//
//   POST /control   {"scope": "..."}      what the answers from now on grant
//                   {"next": STATE, ...}  what becomes of the next token request, once:
//     before anything is issued:  ended, broken, busy (with "retry_after"), opaque (with "body" or without words),
//                                 telling (repeats what was sent, with "status"), elsewhere (with "location")
//     after it was issued:        silent (no answer ever), lost (the connection ends), cut (in the middle of the answer),
//                                 garbage (a page in place of tokens), form (tokens, but not as JSON), hollow (no access token)
//                   {"revocation": 503}   the status of the next revocations
//   GET /control    what arrived: {"requests": n, "sockets": how many connections brought them, "revocations": n,
//                   "fields": the names in the latest, sorted, "issued": the latest access token and refresh token}
//   GET /userinfo   401 unless with the latest access token

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const { OAuth2Issuer, OAuth2Service } = createRequire(`${process.cwd()}/`)("oauth2-mock-server");

const CLIENT = { id: "sextant", secret: process.env.CLIENT_SECRET };

const codes = new Set();
/** From a refresh token to its family; a family is `{live: refresh token or null}`. */
const families = new Map();
const arrived = { requests: 0, sockets: new Set(), revocations: 0, fields: null, issued: [] };
let scope = "offline";
let next = {};
let revocation = 200;

const refused = (status, error, description) => ({
  statusCode: status,
  body: { error, error_description: description },
});

/** Why nothing is issued to this request, or undefined. What it sent is spent by asking. */
function refusal(sent) {
  if (sent.client_id !== CLIENT.id || sent.client_secret !== CLIENT.secret)
    return refused(401, "invalid_client", "Client authentication failed");
  if (sent.grant_type === "authorization_code")
    return codes.delete(sent.code) ? undefined : refused(400, "invalid_grant", "The code is spent");
  const family = families.get(sent.refresh_token);
  if (family?.live === sent.refresh_token) return undefined;
  if (family) family.live = null;
  return refused(400, "invalid_grant", "The refresh token is spent");
}

/** The next refresh token joins the family of the one before. */
function rotate(sent, issued) {
  const family = families.get(sent.refresh_token) ?? { live: null };
  family.live = issued.refresh_token;
  families.set(issued.refresh_token, family);
  arrived.issued = [issued.access_token, issued.refresh_token];
}

/** What is answered in place of tokens, before anything is issued. */
const INSTEAD = {
  ended: () => refused(400, "invalid_grant", "The consent was ended"),
  broken: () => refused(500, "server_error", "The server is broken"),
  busy: () => refused(429, "too_many_requests", "Be patient"),
  opaque: ({ body }) => ({ statusCode: 400, body: body ?? "Bad Request" }),
  telling: ({ status }, sent) =>
    refused(status, "invalid_request", `not understood: ${new URLSearchParams(sent)} ${Object.values(sent).join(" ")}`),
  elsewhere: () => ({ statusCode: 307, body: {} }),
};

/** What happens to an answer that was issued. `response` is that of the connection. */
const ASTRAY = {
  silent: (response) => (response.json = () => response),
  lost: (response) => (response.json = () => response.socket.destroy()),
  cut: (response) =>
    (response.json = (body) => {
      const text = JSON.stringify(body);
      response.setHeader("Content-Length", text.length);
      response.write(text.slice(0, text.length / 2), () => response.socket.destroy());
    }),
  garbage: (response, answer) => (response.json = () => response.end(`<html>${answer.body.refresh_token}</html>`)),
  form: (response) => (response.json = (body) => response.end(`${new URLSearchParams(body)}`)),
  hollow: (_, answer) => (answer.body = { refresh_token: answer.body.refresh_token }),
};

function answerToken(answer, request) {
  const { next: state, ...how } = next;
  next = {};
  const { body: sent, res: response } = request;
  arrived.fields = Object.keys(sent).sort().join(" ");
  if (how.retry_after) response.setHeader("Retry-After", how.retry_after);
  if (how.location) response.setHeader("Location", how.location);
  const instead = INSTEAD[state]?.(how, sent) ?? refusal(sent);
  if (instead) return Object.assign(answer, instead);
  answer.body.scope = scope;
  rotate(sent, answer.body);
  ASTRAY[state]?.(response, answer);
}

async function control(request, response) {
  let text = "";
  for await (const chunk of request) text += chunk;
  if (request.method === "POST") {
    const told = JSON.parse(text);
    if (told.next && !(told.next in INSTEAD) && !(told.next in ASTRAY)) throw new Error(`no such state: ${told.next}`);
    scope = told.scope ?? scope;
    revocation = told.revocation ?? revocation;
    next = told.next ? told : next;
  }
  response.end(JSON.stringify({ ...arrived, sockets: arrived.sockets.size }));
}

const service = new OAuth2Service(new OAuth2Issuer());
await service.issuer.keys.generate("RS256");
// Of themselves two tokens of one second are the same text, and a test could not tell a new one from a spent one.
service.issuer.on("beforeSigning", ({ payload }) => (payload.jti = randomUUID()));
service.on("beforeAuthorizeRedirect", ({ url }) => codes.add(url.searchParams.get("code")));
service.on("beforeResponse", answerToken);
service.on("beforeRevoke", (answer) => (answer.statusCode = revocation));
service.on("beforeUserinfo", (answer, request) => {
  if (request.headers.authorization !== `Bearer ${arrived.issued[0]}`) answer.statusCode = 401;
});

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  if (pathname === "/control") return void control(request, response);
  if (pathname === "/token") {
    arrived.requests += 1;
    arrived.sockets.add(request.socket);
  }
  if (pathname === "/revoke") arrived.revocations += 1;
  service.requestHandler(request, response);
});
// Longer than a test, so that it is the test that ends a connection.
server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1", () => {
  service.issuer.url = `http://127.0.0.1:${server.address().port}`;
  console.log(service.issuer.url);
});
