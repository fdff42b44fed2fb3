import { html } from "../core/html.js";
import { PageHead } from "../parts/page-head.js";

/** Where data comes from. A source pushes with a secret of its own. */
export function Connections() {
  return html`<${PageHead} title="Connections" about="Where data comes from. A source pushes with a secret of its own." />`;
}
