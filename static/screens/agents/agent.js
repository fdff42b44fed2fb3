import { html } from "../../core/html.js";
import { PageHead } from "../../parts/page-head.js";

export function Agent() {
  return html`<${PageHead} title="Agent" />`;
}
