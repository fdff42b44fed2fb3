import { useEffect, useState } from "../../vendor/hooks.js";
import { go } from "../../core/address.js";
import { call } from "../../core/call.js";
import { readHoldings } from "../../core/holdings.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { AuditTable } from "../../parts/audit-table.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { PageHead } from "../../parts/page-head.js";
import { Empty, Loaded } from "../../parts/states.js";
import { RemoveAgent, RevokeAgent, RotateKey } from "./acts.js";
import { AgentFacts } from "./agent-card.js";
import { DeadlineCard } from "./deadline-card.js";
import { KeyDialog, Snippets } from "./key-dialog.js";
import { SectorSwitches } from "./sector-switches.js";
import { Sessions } from "./sessions.js";

/** Rows of the audit log that are shown. */
const ROWS = 8;

/** One agent: its grant, its sessions, what it has asked, and how a client gets its key. @param {{ name: string }} props */
export function Agent({ name }) {
  const agent = useResource((signal) => call("GET /api/agents/{name}", { path: { name }, signal }), [name], { on: ["agent", "agent.sessions", "audit"] });
  useEffect(() => void readHoldings(), []);
  if (agent.error && /** @type {any} */ (agent.error).code === "not_found") return html`<${Unknown} name=${name} />`;
  return html`
    <${PageHead} title=${html`<bdi>${name}</bdi>`} name=${name} about="What this agent may read, and what it has asked.">
      <${ButtonLink} href=${`/agents/${encodeURIComponent(name)}/data`} icon="eye">View as agent<//>
    <//>
    <${Loaded} of=${agent} what="the agent" lines=${8}>${(/** @type {any} */ found) => html`<${Grant} agent=${found} changed=${agent.reload} />`}<//>
  `;
}

/** @param {{ name: string }} props */
function Unknown({ name }) {
  return html`<${PageHead} title="Agents" /><${Empty} icon="key-round" title="There is no such agent" act=${html`<${ButtonLink} href="/agents">Show all agents<//>`}>No agent is called <bdi>${name}</bdi>.<//>`;
}

/** @param {{ agent: any, changed: () => void }} props */
function Grant({ agent, changed }) {
  const [asks, setAsks] = useState(/** @type {"rotate" | "revoke" | "remove" | null} */ (null));
  const [made, setMade] = useState(/** @type {any} */ (null));
  const close = () => setAsks(null);
  return html`
    <section class="card" aria-label="Grant">
      <header><${AgentFacts} agent=${agent} />
        <div class="acts">
          <${Button} act=${() => setAsks("rotate")} icon="rotate-ccw-key" size="sm">Rotate key<//>
          ${agent.status !== "revoked" && html`<${Button} act=${() => setAsks("revoke")} icon="ban" size="sm">Revoke<//>`}
          <${Button} act=${() => setAsks("remove")} icon="trash-2" size="sm">Remove<//>
        </div>
      </header>
      <${SectorSwitches} agent=${agent} changed=${changed} />
    </section>
    <${DeadlineCard} agent=${agent} changed=${changed} />
    <${Sessions} agent=${agent.name} />
    <section class="card" aria-labelledby="connect-head"><header><h2 id="connect-head">Connect a client</h2></header>
      <p class="muted">The key itself is shown only when it is made. Where it belongs stands <code>${"<AGENT_KEY>"}</code>; rotate the key to see a new one.</p>
      <${Snippets} name=${agent.name} />
    </section>
    <${LastCalls} name=${agent.name} />
    ${asks === "rotate" && html`<${RotateKey} agent=${agent} close=${close} done=${(/** @type {any} */ answer) => (changed(), setMade(answer))} />`}
    ${asks === "revoke" && html`<${RevokeAgent} agent=${agent} close=${close} done=${changed} />`}
    ${asks === "remove" && html`<${RemoveAgent} agent=${agent} close=${close} done=${() => go("/agents")} />`}
    ${made && html`<${KeyDialog} made=${made} close=${() => setMade(null)} />`}
  `;
}

/** @param {{ name: string }} props */
function LastCalls({ name }) {
  const rows = useResource((signal) => call("GET /api/audit", { query: { agent: name, limit: ROWS }, signal }), [name], { on: ["audit"] });
  return html`<section class="stack">
    <div class="row"><h2>Last calls</h2><a href=${`/activity?agent=${encodeURIComponent(name)}`}>Show all</a></div>
    <${Loaded} of=${rows} what="its calls">${(/** @type {any} */ page) =>
      page.rows.length === 0 ? html`<${Empty} icon="activity" title="Nothing recorded yet">Each call of this agent will stand here.<//>` : html`<${AuditTable} rows=${page.rows} name=${`Last calls of ${name}`} withAgent=${false} />`}
    <//>
  </section>`;
}
