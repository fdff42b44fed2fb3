// View as agent: whose view this is, what it may not see, and the answer as it would be sent to it.

import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { listed } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { Icon } from "../../parts/icon.js";
import { Time } from "../../parts/time.js";
import { LongText } from "./long-text.js";

/** Stands above everything that is shown as an agent would get it. @param {{ name: string }} props */
export function AgentBanner({ name }) {
  const own = useResource((signal) => call("GET /api/agents/{name}", { path: { name }, signal }), [name], { on: ["agent"] });
  return html`<aside class="data-banner" aria-label="View as agent">
    <${Icon} name="eye" />
    <div>
      <p>You see what <bdi><strong>${name}</strong></bdi> would get now. Nothing here is recorded.</p>
      ${own.value && html`<p class="muted"><${Grant} agent=${own.value} /></p>`}
      ${own.error && html`<p class="note-bad">${/** @type {any} */ (own.error).status === 404 ? "There is no agent of this name." : own.error.message}</p>`}
    </div>
    <${ButtonLink} href=${`/agents/${encodeURIComponent(name)}`} icon="arrow-left" size="sm">Back to the agent<//>
  </aside>`;
}

/** @param {{ agent: any }} props */
function Grant({ agent }) {
  const may = agent.sectors.length > 0 ? `May read ${agent.sectors.includes("*") ? "all six sectors" : listed(agent.sectors)}` : "May read nothing";
  if (agent.status === "revoked") return html`${may}, but the key is revoked. A call with it is refused.`;
  if (agent.status === "expired") return html`${may}, but the key has expired. A call with it is refused.`;
  return html`${may}${agent.expiresAt ? html`; the key expires <${Time} at=${agent.expiresAt} />` : "; the key never expires"}.`;
}

/** What the agent is told of a sector that it may not read: its own refusal. @param {{ reader: import("./reader.js").Reader, sector: string, table?: string }} props */
export function Locked({ reader, sector, table }) {
  const refusal = useResource(
    (signal) => reader.query(sector, { target: table ? `${sector}.${table}` : sector, limit: 1 }, signal).then(
      () => null,
      (error) => (error.status === 403 ? String(error.said) : Promise.reject(error)),
    ),
    [reader.base, sector, table],
    { on: ["agent"] },
  );
  return html`<div class="data-locked">
    <p><${Icon} name="lock" /><span>Locked. A call for it is answered:</span></p>
    ${refusal.value && html`<code>${refusal.value}</code>`}
    ${refusal.error && html`<p class="note-bad">${refusal.error.message}</p>`}
  </div>`;
}

/** The answer as the agent would get it. @param {{ answer: any, tool: string, request: object }} props */
export function AsSent({ answer, tool, request }) {
  const [isOpen, setOpen] = useState(false);
  return html`<section class="data-sent">
    <${Button} act=${() => setOpen(!isOpen)} icon=${isOpen ? "eye-off" : "eye"} size="sm">${isOpen ? "Hide as sent" : "As sent"}<//>
    ${isOpen && html`<h2>As sent</h2>
      <p class="muted">The call: <code>${tool} ${JSON.stringify(request)}</code></p>
      <div class="code-box"><div class="pre mono" tabindex="0" role="region" aria-label="The answer as the agent gets it"><${LongText} text=${JSON.stringify(answer)} what="the answer" /></div></div>`}
  </section>`;
}
