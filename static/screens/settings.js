import { html } from "../core/html.js";
import { PageHead } from "../parts/page-head.js";

/** Your data, and the service itself. */
export function Settings() {
  return html`<${PageHead} title="Settings" about="Your data, and the service itself." />`;
}
