import { useEffect, useRef } from "../../vendor/hooks.js";
import { html } from "../../core/html.js";
import { Icon } from "../../parts/icon.js";
import { SectorName } from "../../parts/sector.js";

/**
 * What became of a sign-in, on one card that takes the focus.
 *
 * @param {{ title: string, connections: any[], acts: any, children?: any, kind?: "good" | "warn" | "bad" | "plain", icon?: string }} props
 */
export function OutcomeCard({ title, connections, acts, children, kind = "good", icon = "circle-check" }) {
  const head = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => head.current?.focus(), [title]);
  return html`<section class="card" aria-labelledby="outcome-head">
    <h2 id="outcome-head" ref=${head} class="outcome note-${kind}" tabindex="-1"><${Icon} name=${icon} /><span>${title}</span></h2>
    ${connections.length > 0 && html`<ul class="attention">${connections.map((/** @type {any} */ connection) => html`<li key=${connection.id} class="row"><${SectorName} name=${connection.sector} /><a href=${`/connections/${connection.id}`}><bdi>${connection.label}</bdi></a></li>`)}</ul>`}
    ${children}
    <div class="acts">${acts}</div>
  </section>`;
}
