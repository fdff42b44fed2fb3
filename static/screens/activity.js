import { html } from "../core/html.js";
import { PageHead } from "../parts/page-head.js";

/** The audit log: every agent call, served or refused, and the Console’s own acts. Nothing deletes it. */
export function Activity() {
  return html`<${PageHead} title="Activity" about="The audit log: every agent call, served or refused, and the Console’s own acts. Nothing deletes it." />`;
}
