import { html } from "../core/html.js";
import { PageHead } from "../parts/page-head.js";

/** Who may read your data, in which sectors, and until when. Changes are saved at once and end the agent’s live sessions. */
export function Agents() {
  return html`<${PageHead} title="Agents" about="Who may read your data, in which sectors, and until when. Changes are saved at once and end the agent’s live sessions." />`;
}
