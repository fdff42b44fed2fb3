import { html } from "../core/html.js";
import { PageHead } from "../parts/page-head.js";

/** Everything that is stored, as an agent with all six sectors would see it. Looking here is not recorded. */
export function Data() {
  return html`<${PageHead} title="Data" about="Everything that is stored, as an agent with all six sectors would see it. Looking here is not recorded." />`;
}
