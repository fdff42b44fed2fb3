import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { CodeBox } from "../../parts/code.js";
import { SecretDialog } from "../../parts/secret-dialog.js";
import { Loaded } from "../../parts/states.js";

/** Where the secret belongs. */
const PLACEHOLDER = "<SECRET>";

/** A new secret, once, with a push that can be made at once. @param {{ made: { connection: any, secret: string, ingestUrl: string }, close: () => void }} props */
export function PushSecret({ made, close }) {
  return html`<${SecretDialog} title=${`Secret for ${made.connection.label}`} about="This is the only time the secret is shown. Only a hash of it is kept." secret=${made.secret} noun="secret" close=${close}>
    <h3>Push a record with it</h3>
    <${PushExample} connection=${made.connection} ingestUrl=${made.ingestUrl} secret=${made.secret} />
  <//>`;
}

/** A push of one record of the connection's table. @param {{ connection: any, ingestUrl?: string, secret?: string }} props */
export function PushExample({ connection, ingestUrl = `${location.origin}/api/ingest/${connection.id}`, secret = PLACEHOLDER }) {
  const tables = useResource((signal) => call("GET /api/push-tables", { signal }), []);
  return html`<${Loaded} of=${tables} what="an example">${(/** @type {any} */ answer) => {
    const table = answer.tables.find((/** @type {any} */ each) => each.target === connection.table);
    return html`<${CodeBox} text=${pushOf(ingestUrl, secret, table.example)} name="A push of one record" what="push" testId="push" />`;
  }}<//>`;
}

/** @param {string} url @param {string} secret @param {object} record */
function pushOf(url, secret, record) {
  const body = JSON.stringify({ records: [record] }, null, 2).replaceAll("'", "'\\''");
  return `curl -sS ${url} \\\n  -H 'Authorization: Bearer ${secret}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}
