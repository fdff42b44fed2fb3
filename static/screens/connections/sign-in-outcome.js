import { listed } from "../../core/format.js";
import { html } from "../../core/html.js";
import { signInAgain } from "../../core/signing-in.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { Note } from "../../parts/states.js";
import { OutcomeCard } from "./outcome-card.js";

/** How each outcome looks. @type {Record<string, { kind: "good" | "warn" | "bad" | "plain", icon: string }>} */
const LOOKS = {
  pending: { kind: "plain", icon: "clock" },
  connected: { kind: "good", icon: "circle-check" },
  partial: { kind: "warn", icon: "triangle-alert" },
  no_sectors: { kind: "warn", icon: "triangle-alert" },
  cancelled: { kind: "plain", icon: "circle-x" },
  failed: { kind: "bad", icon: "triangle-alert" },
};

/** @typedef {{ answer: any, complete: ((signInId: string) => Promise<void>) | null, renews: string | null }} OutcomeProps `complete` tries again what is kept of it, `renews` is the sign-in that another try renews */

/** What became of a sign-in at a provider. @param {OutcomeProps & { close: () => void }} props */
export function SignInOutcome({ answer, complete, renews, close }) {
  const { outcome, connections, message, addHint } = answer;
  const missing = bySector(answer.missing);
  const acts = html`<${WayOn} answer=${answer} complete=${complete} renews=${renews} /><${Button} act=${close} variant="ghost" icon="x">Close<//>`;
  return html`<${OutcomeCard} title=${message} connections=${connections} acts=${acts} ...${LOOKS[outcome] ?? LOOKS.pending}>
    ${missing.map(([sector, titles]) => html`<${Note} key=${sector} icon="circle-x">${sector}: ${listed(titles.map((title) => `“${title}”`))} ${titles.length === 1 ? "was" : "were"} not granted.<//>`)}
    ${outcome === "partial" && addHint && html`<${Note}>${addHint}<//>`}
    ${connections.length > 0 && html`<p class="muted">The first sync begins at once, the newest first.</p>`}
  <//>`;
}

/** The one act that each outcome leads to. @param {OutcomeProps} props */
function WayOn({ answer: { outcome, provider, signInId, missing }, complete, renews }) {
  if (outcome === "connected") return html`<${ButtonLink} href="/connections/new" icon="plus">Connect another source<//>`;
  if (complete) return html`<${Button} act=${() => complete(signInId)} icon="refresh-cw" variant="primary">Try again<//>`;
  const again = () => signInAgain(provider, renews);
  const adds = outcome === "partial" ? ` to add ${missing.length === 1 ? "it" : "them"}` : "";
  return html`<${Button} act=${again} icon="key-round" variant="primary">Sign in again${adds}<//>`;
}

/** What was not granted, by the sector that it opens. @param {{ sector: string, title: string }[]} missing @returns {[string, string[]][]} */
function bySector(missing) {
  const sectors = new Set(missing.map(({ sector }) => sector));
  return [...sectors].map((sector) => [sector, missing.filter((each) => each.sector === sector).map(({ title }) => title)]);
}
