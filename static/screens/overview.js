import { html } from "../core/html.js";
import { PageHead } from "../parts/page-head.js";

/** What is here, who asks for it, and what needs you. */
export function Overview() {
  return html`<${PageHead} title="Overview" about="What is here, who asks for it, and what needs you." />`;
}
