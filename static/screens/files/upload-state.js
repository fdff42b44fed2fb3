import { html } from "../../core/html.js";
import { State } from "../../parts/state.js";

/** The states of an upload in words. @type {Record<string, [string, "good" | "warn" | "bad" | "quiet", string]>} */
const STATES = {
  receiving: ["Receiving", "quiet", "upload"],
  checking: ["Checking", "quiet", "refresh-cw"],
  checked: ["Checked, nothing stored yet", "warn", "circle-pause"],
  running: ["Storing", "quiet", "refresh-cw"],
  done: ["Stored", "good", "circle-check"],
  cancelled: ["Cancelled", "warn", "circle-x"],
  interrupted: ["Interrupted", "warn", "triangle-alert"],
  failed: ["Failed", "bad", "triangle-alert"],
};

/** How far an upload has come. @param {{ state: string }} props */
export function UploadState({ state }) {
  const [word, kind, icon] = STATES[state] ?? [state, "quiet", "info"];
  return html`<${State} kind=${kind} icon=${icon}>${word}<//>`;
}
