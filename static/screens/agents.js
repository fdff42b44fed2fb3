import { useEffect, useState } from "../vendor/hooks.js";
import { go, here } from "../core/address.js";
import { call } from "../core/call.js";
import { html } from "../core/html.js";
import { readHoldings } from "../core/holdings.js";
import { useResource } from "../core/resource.js";
import { Button } from "../parts/button.js";
import { PageHead } from "../parts/page-head.js";
import { Empty, Loaded } from "../parts/states.js";
import { AgentCard } from "./agents/agent-card.js";
import { KeyDialog } from "./agents/key-dialog.js";
import { NewAgent } from "./agents/new-agent.js";

/** Who may read, in which sectors, and until when. The dialog of a new one has an address of its own: `?new=1`. */
export function Agents() {
  const agents = useResource((signal) => call("GET /api/agents", { signal }), [], { on: ["agent", "agent.sessions", "audit"] });
  const [made, setMade] = useState(/** @type {any} */ (null));
  useEffect(() => void readHoldings(), []);
  const isNew = here.value.query.has("new");
  const create = () => go("/agents?new=1", { keepScroll: true });
  const closeNew = () => go("/agents", { replace: true, keepScroll: true });
  const done = (/** @type {any} */ answer) => {
    setMade(answer);
    closeNew();
    agents.reload();
  };
  return html`
    <${PageHead} title="Agents" about="Who may read your data, in which sectors, and until when. Changes are saved at once and end the agent’s live sessions.">
      <${Button} act=${create} icon="plus" variant="primary">New agent<//>
    <//>
    <${Loaded} of=${agents} what="the agents" lines=${6}>${(/** @type {any} */ answer) =>
      answer.agents.length === 0 ? html`<${NoAgents} create=${create} />` : html`<div class="stack">${inOrder(answer.agents).map((agent) => html`<${AgentCard} key=${agent.name} agent=${agent} changed=${agents.reload} showKey=${setMade} />`)}</div>`}
    <//>
    ${isNew && html`<${NewAgent} names=${agents.value?.agents.map((/** @type {any} */ agent) => agent.name) ?? []} close=${closeNew} done=${done} />`}
    ${made && html`<${KeyDialog} made=${made} close=${() => setMade(null)} />`}
  `;
}

/** @param {{ create: () => void }} props */
function NoAgents({ create }) {
  return html`<${Empty} icon="key-round" title="No agents yet" act=${html`<${Button} act=${create} icon="plus" variant="primary">New agent<//>`}>
    An agent is a program that reads your data with a key of its own. Until there is one, nothing can be read.
  <//>`;
}

/** Those that can read first, by their last call. @param {any[]} agents */
function inOrder(agents) {
  const rank = (/** @type {any} */ agent) => (agent.status === "active" ? 0 : 1);
  const last = (/** @type {any} */ agent) => agent.lastCallAt ?? "";
  return [...agents].sort((one, other) => rank(one) - rank(other) || last(other).localeCompare(last(one)) || one.name.localeCompare(other.name));
}
