// What a person may want from a row: to grant what was denied, or to see what an allowed call would get now.

import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { readSectors, withSector } from "../../core/agents.js";
import { call } from "../../core/call.js";
import { count, counted } from "../../core/format.js";
import { holdings, readHoldings } from "../../core/holdings.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { useResource } from "../../core/resource.js";
import { SECTORS } from "../../core/sectors.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { Note } from "../../parts/states.js";
import { Again } from "./again.js";

const DENIED = /^access denied: (\w+)$/;

/** @param {{ row: any }} props */
export function FollowUp({ row }) {
  const isAgent = row.agent_id !== null && row.agent_id !== "operator";
  const agent = useResource((signal) => (isAgent ? call("GET /api/agents/{name}", { path: { name: row.agent_id }, signal }) : Promise.resolve(null)), [row.id]);
  if (agent.error) return html`<${Note}>${/** @type {any} */ (agent.error).status === 404 ? html`There is no agent <bdi>${row.agent_id}</bdi> any more.` : agent.error.message}<//>`;
  if (!agent.value) return null;
  const sector = DENIED.exec(row.deny_reason ?? "")?.[1];
  if (row.decision === "deny") return sector ? html`<${TurnOn} agent=${agent.value} sector=${sector} changed=${agent.reload} />` : null;
  return html`<${Again} key=${row.id} row=${row} />`;
}

/** @param {{ agent: any, sector: string, changed: () => void }} props */
function TurnOn({ agent, sector, changed }) {
  const [isAsked, ask] = useState(false);
  const told = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => void readHoldings(), []);
  const isGranted = readSectors(agent.sectors).granted.some((own) => own === sector);
  // The button is gone then, and its focus goes to what stands in its place.
  useEffect(() => {
    if (isGranted && document.activeElement === document.body) told.current?.focus();
  }, [isGranted]);
  if (isGranted) return html`<${Note} icon="circle-check" kind="good"><span ref=${told} tabindex="-1">${agent.name} can use ${sector} now.</span><//>`;
  if (!SECTORS.some((own) => own === sector)) return null;
  if (agent.status !== "active") return html`<${Note}>The key of ${agent.name} is ${agent.status}. Rotate it first, on <a href=${`/agents/${encodeURIComponent(agent.name)}`}>its own screen</a>.<//>`;
  const holding = holdings.value[sector];
  const act = async () => {
    const { sessionsEnded } = await call("PATCH /api/agents/{name}", { path: { name: agent.name }, body: { sectors: withSector(agent.sectors, sector, true) } });
    sayDone(`Saved. ${agent.name} can use ${sector} from its next session.${sessionsEnded > 0 ? ` ${counted(sessionsEnded, "live session")} ended.` : ""}`);
    changed();
  };
  const about = `It can then read ${holding ? `${count(holding.rows)} rows of ${sector}` : `everything of ${sector}`}, now and what comes later. ${agent.liveSessions > 0 ? `${counted(agent.liveSessions, "live session")} end.` : "It has no live session."}`;
  return html`<${Button} act=${() => ask(true)} icon="key-round">Turn on ${sector} for ${agent.name}<//>
    ${isAsked && html`<${Confirm} title=${`Turn on ${sector} for ${agent.name}?`} about=${about} verb=${`Turn on ${sector}`} act=${act} close=${() => ask(false)} />`}`;
}
