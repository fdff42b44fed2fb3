import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { providers } from "../../core/providers.js";
import { isListenedTo, needsCredential } from "../../core/pulled.js";
import { isLinked } from "../../core/signing-in.js";
import { Note } from "../../parts/states.js";
import { Time } from "../../parts/time.js";
import { ActionDomains } from "./action-domains.js";
import { Plan } from "./plan.js";
import { Runs } from "./runs.js";
import { SignInCard } from "./sign-in-card.js";

/** What each standing asks of a person, beside its word. @type {Record<string, string>} */
const WHAT_TO_DO = {
  needs_sign_in: "The source refuses the credential, or it was revoked. Sign in again to go on; rows stay.",
  needs_credentials: "The credential cannot be read here any more, as after an import or with a lost key. Enter it again to go on; rows stay.",
  consent_expired: "The consent has ended. Sign in again to go on; rows stay.",
  backing_off: "It is tried again by itself. Nothing needs to be done, unless it goes on for long.",
  quota_spent: "The source takes no more requests for now. It is tried again by itself.",
  parked: "Its connector failed again and again, and is tried once an hour. Restart it when the cause is gone.",
};

/** The same of a bank that is linked, where it differs. @type {Record<string, string>} */
const WHAT_TO_DO_AT_BANK = {
  needs_credentials: "What the bank is asked with is missing here: your app in Settings › Provider apps, or, as after an import, the link. Enter the app, or link the bank again, to go on; rows stay.",
  consent_expired: "The consent that you gave at the bank has ended. Sign in again to go on; rows stay.",
};

/** The same of a credential that was refused and is not given up yet. */
const REFUSED_ONCE = "It is tried once more by itself, since sources refuse good credentials now and then. Refused again, it waits for you to sign in.";

/** What a connection that is read has besides its state: its plan, its runs, its sign-in. @param {{ connection: any, runs: any, changed: () => void }} props */
export function PulledConnection({ connection, runs, changed }) {
  return html`
    <div class="two-cards"><${Plan} connection=${connection} changed=${changed} />
    ${connection.signInId && html`<${SignInCard} id=${connection.signInId} current=${connection.id} changed=${changed} />`}</div>
    ${isListenedTo(connection) && html`<${ActionDomains} id=${connection.id} />`}
    <${Runs} runs=${runs} connection=${connection} />
  `;
}

/** What to do, when the consent ends, and how far a round has come. @param {{ connection: any, runs: any[] }} props */
export function PulledNotes({ connection, runs }) {
  const { health, error } = connection;
  const isBank = isLinked(providers.value[connection.provider]);
  const todo = isBank ? { ...WHAT_TO_DO, ...WHAT_TO_DO_AT_BANK } : WHAT_TO_DO;
  const advice = connection.state === "active" && (health === "backing_off" && error?.code === "credential_refused" ? REFUSED_ONCE : todo[health]);
  const isSyncing = connection.state === "active" && health === "syncing";
  const current = runs.find((run) => !run.outcome);
  return html`
    ${advice && html`<${Note} icon="info" kind=${needsCredential(connection) ? "warn" : "plain"}>${advice}${error?.since && html` Since <${Time} at=${error.since} />${error.count > 1 && html`, ${counted(error.count, "time")}`}.`}<//>`}
    ${isSyncing && html`<p class="note" role="status"><progress aria-label="Sync under way"></progress><span>${current ? html`Syncing: ${counted(current.upserted + current.deleted, "row")} changed so far.` : "Syncing…"}</span></p>`}
    ${connection.consentExpiresAt && html`<${Note} icon="calendar-clock">${isBank ? "The bank's consent" : "The credential"} ends <${Time} at=${connection.consentExpiresAt} />.<//>`}
  `;
}
