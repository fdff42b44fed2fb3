// Accounts that two sources may both have: one question each, and the answers, each of which can be taken back.

import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { providerName, readProviders } from "../../core/providers.js";
import { useResource } from "../../core/resource.js";
import { Button } from "../../parts/button.js";
import { PageHead } from "../../parts/page-head.js";
import { State } from "../../parts/state.js";
import { Loaded, Note } from "../../parts/states.js";
import { Time } from "../../parts/time.js";
import { Crumbs } from "./crumbs.js";
import { operator } from "./reader.js";

/** What two accounts have in common. @type {Record<string, string>} */
const REASONS = {
  domain_and_last_four: "The institution's domain and the last four digits are the same.",
  domain: "The institution's domain is the same. One of them reports no last four digits.",
  iban: "The IBAN is the same. One of them names no domain of its institution.",
  last_four: "The last four digits are the same. One of them names no domain of its institution.",
  institution: "The institution's name is the same. A domain, or the last four digits, are not known of both.",
};

/** @typedef {{ kind: "good" | "quiet", icon: string, word: string, undo: "confirm" | "unconfirm" }} AnswerLook */

/** How each answer stands. @type {Record<"same" | "separate", AnswerLook>} */
const ANSWERS = {
  same: { kind: "good", icon: "circle-check", word: "Same account", undo: "unconfirm" },
  separate: { kind: "quiet", icon: "circle-x", word: "Kept separate", undo: "confirm" },
};

/** The questions, and below them what was answered. */
export function Duplicates() {
  const pairs = useResource(readPairs, [], { on: ["duplicates", "connection"] });
  return html`
    <${Crumbs} reader=${operator} sector="finance" />
    <${PageHead} title="Duplicates" about="An account that two sources have is served once. Where it is not certain that it is one, you say so; nothing is lost either way." />
    <${Loaded} of=${pairs} what="the duplicates" lines=${8}>${(/** @type {any} */ answer) => html`<${Pairs} rows=${answer.rows} changed=${pairs.reload} />`}<//>
  `;
}

/** The pairs, with the names of the sources known. @param {AbortSignal} signal */
async function readPairs(signal) {
  const [answer] = await Promise.all([call("GET /api/finance/duplicates", { query: {}, signal }), readProviders(signal)]);
  return answer;
}

/** @param {{ rows: any[], changed: () => void }} props */
function Pairs({ rows, changed }) {
  const open = rows.filter(({ state }) => state === "open");
  const answered = rows.filter(({ state }) => state !== "open");
  return html`
    ${open.length === 0 && html`<${Note} icon="circle-check" kind="good">No two accounts wait for an answer.<//>`}
    <${Listed} head="One account or two?" pairs=${open} changed=${changed} />
    <${Listed} head="Answered" pairs=${answered} changed=${changed} />
  `;
}

/** @param {{ head: string, pairs: any[], changed: () => void }} props */
function Listed({ head, pairs, changed }) {
  if (pairs.length === 0) return null;
  return html`<h2>${head}</h2><ul class="pair-list">${pairs.map((pair) => html`<li key=${pair.id}><${Pair} pair=${pair} changed=${changed} /></li>`)}</ul>`;
}

/** Two accounts side by side, and what can be said of them. @param {{ pair: any, changed: () => void }} props */
function Pair({ pair, changed }) {
  const { a, b, state, reason } = pair;
  const names = `${a.name} of ${a.connection} and ${b.name} of ${b.connection}`;
  return html`<article class="card" aria-label=${names}>
    <div class="two-cards"><${Account} account=${a} /><${Account} account=${b} /></div>
    <p class="muted">${REASONS[reason] ?? ""}</p>
    ${state === "open" ? html`<${Question} pair=${pair} names=${names} changed=${changed} />` : html`<${Answered} pair=${pair} names=${names} changed=${changed} />`}
  </article>`;
}

/** @param {{ account: any }} props */
function Account({ account }) {
  const { id, name, connection, connectionId, provider, institution, domain, last4, currency, balance, transactions } = account;
  const missing = html`<span class="muted">not reported</span>`;
  return html`<section class="stack">
    <h3><a href=${`/data/finance/accounts/${id}`}><bdi>${name}</bdi></a></h3>
    <dl class="pairs">
      <div><dt>From</dt><dd><a href=${`/connections/${connectionId}`}><bdi>${connection}</bdi></a>${providerName(provider) !== connection && html` <span class="muted">${providerName(provider)}</span>`}</dd></div>
      <div><dt>Institution</dt><dd>${institution ? html`<bdi>${institution}</bdi>` : missing}</dd></div>
      <div><dt>Its domain</dt><dd>${domain ?? missing}</dd></div>
      <div><dt>Last four</dt><dd>${last4 ?? missing}</dd></div>
      <div><dt>Balance</dt><dd>${balance === null ? missing : `${balance} ${currency}`}</dd></div>
      <div><dt>Holds</dt><dd>${counted(transactions, "transaction")}</dd></div>
    </dl>
  </section>`;
}

/** @param {{ pair: any, names: string, changed: () => void }} props */
function Question({ pair, names, changed }) {
  return html`<div class="acts">
    <${Button} act=${() => answer(pair, "confirm", changed)} icon="circle-check" variant="primary" label=${`Same account: ${names}`}>Same account<//>
    <${Button} act=${() => answer(pair, "unconfirm", changed)} icon="circle-x" label=${`Keep separate: ${names}`}>Keep separate<//>
  </div>`;
}

/** @param {{ pair: any, names: string, changed: () => void }} props */
function Answered({ pair, names, changed }) {
  const { kind, icon, word, undo } = ANSWERS[/** @type {"same" | "separate"} */ (pair.state)];
  const by = pair.answeredBy === "automatic" ? "by itself, since both report their last four digits" : "by you";
  return html`<div class="acts">
    <${State} kind=${kind} icon=${icon}>${word}<//><span class="muted">${by}, <${Time} at=${pair.answeredAt} /></span>
    <${Button} act=${() => answer(pair, undo, changed)} icon="history" size="sm" label=${`Undo: ${names}`}>Undo<//>
  </div>`;
}

/** @param {any} pair @param {"confirm" | "unconfirm"} what @param {() => void} changed */
async function answer({ id }, what, changed) {
  const path = { id };
  if (what === "confirm") {
    await call("POST /api/finance/duplicates/{id}/confirm", { path });
    sayDone("They are one account now, and its transactions are served once.");
  } else {
    await call("POST /api/finance/duplicates/{id}/unconfirm", { path });
    sayDone("They are two accounts, and stay so.");
  }
  changed();
}
