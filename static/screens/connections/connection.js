import { html } from "../../core/html.js";
import { PageHead } from "../../parts/page-head.js";

export function Connection() {
  return html`<${PageHead} title="Connection" />`;
}
