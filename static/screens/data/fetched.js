import { sentence } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { State } from "../../parts/state.js";
import { Time } from "../../parts/time.js";

/** What a fetch did at a connection, as a word with its sign. @type {Record<string, { kind: any, icon: string, word: string }>} */
const OUTCOMES = {
  fetched: { kind: "good", icon: "circle-check", word: "Fetched" },
  running: { kind: "good", icon: "refresh-cw", word: "Still running" },
  waiting: { kind: "warn", icon: "clock", word: "Waiting" },
  needs_sign_in: { kind: "bad", icon: "key-round", word: "Sign in again" },
  push_only: { kind: "quiet", icon: "info", word: "Push only" },
};
const FAILED = { kind: /** @type {const} */ ("bad"), icon: "triangle-alert", word: "Failed" };

/**
 * What a fetch did, connection by connection; read aloud when it changes.
 *
 * @param {{ fetched: any[] | null, sector: string, connections?: any[] }} props `fetched` is null before the first
 */
export function Fetched({ fetched, sector, connections = [] }) {
  return html`<div class="fetch-status" role="status">
    ${fetched && html`<ul class="card fetched" aria-label="What was fetched">${fetched.map((one) => html`<${Line} key=${one.connection} one=${one} connections=${connections.filter((each) => each.sector === sector && each.label === one.connection)} />`)}</ul>`}
  </div>`;
}

/** @param {{ one: any, connections: any[] }} props `connections` are those of that name */
function Line({ one, connections }) {
  const { kind, icon, word } = OUTCOMES[one.outcome] ?? FAILED;
  const known = connections.length === 1 ? connections[0] : null;
  const label = html`<bdi>${one.connection}</bdi>`;
  return html`<li>
    <${State} kind=${kind} icon=${icon}>${word}<//>
    <span>${known ? html`<a href=${`/connections/${known.id}`}>${label}</a>` : label}</span>
    <span class="muted">${told(one, known)}</span>
  </li>`;
}

/** @param {any} one @param {any} known */
function told(one, known) {
  const changed = one.upserted + one.deleted;
  if (one.outcome === "fetched") return changed > 0 ? `${counted(changed, "row")} changed.` : "Nothing is new.";
  if (one.outcome === "running") return `${counted(changed, "row")} changed so far; the rest is being read.`;
  if (one.outcome === "waiting" && known?.nextSyncAt) return html`It is asked again <${Time} at=${known.nextSyncAt} />.`;
  if (one.outcome === "push_only") return "Its device pushes; there is nothing to fetch.";
  return html`<bdi>${sentence(one.message)}</bdi>`;
}
