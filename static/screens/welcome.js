import { html } from "../core/html.js";
import { PageHead } from "../parts/page-head.js";

/** Three steps, each done by itself or left out. */
export function Welcome() {
  return html`<${PageHead} title="Welcome" about="Three steps, each done by itself or left out." />`;
}
