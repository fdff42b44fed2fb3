import { html } from "../core/html.js";
import { Icon } from "./icon.js";

/** @typedef {{ decision: "allow" | "deny", outcome: "ok" | "error" | null }} Verdict */

/** What became of a call (r049): a denied one, a failed one, or a served one. @param {Verdict} row */
export function resultOf({ decision, outcome }) {
  if (decision === "deny") return "Denied";
  return outcome === "error" ? "Errored" : "Allowed";
}

const ICONS = /** @type {Record<string, string>} */ ({ Allowed: "circle-check", Denied: "shield-x", Errored: "triangle-alert" });

/** The result of a call as a word with its sign. @param {{ row: Verdict }} props */
export function Result({ row }) {
  const word = resultOf(row);
  return html`<span class="state state-${word.toLowerCase()}"><${Icon} name=${ICONS[word] ?? "info"} />${word}</span>`;
}
