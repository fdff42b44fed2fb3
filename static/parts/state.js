import { html } from "../core/html.js";
import { Icon } from "./icon.js";

/**
 * How something stands, as a word with a sign: never by colour alone.
 *
 * @param {{ kind: "good" | "warn" | "bad" | "quiet", icon: string, children: any }} props
 */
export function State({ kind, icon, children }) {
  return html`<span class="state state-${kind}"><${Icon} name=${icon} />${children}</span>`;
}
