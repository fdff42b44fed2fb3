import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { readSectors, withSector } from "../../core/agents.js";
import { call } from "../../core/call.js";
import { count, counted } from "../../core/format.js";
import { holdings } from "../../core/holdings.js";
import { html } from "../../core/html.js";
import { sayDone, sayFailed } from "../../core/messages.js";
import { SECTORS } from "../../core/sectors.js";
import { day } from "../../core/time.js";
import { SectorName } from "../../parts/sector.js";
import { Note } from "../../parts/states.js";
import { Switch } from "../../parts/switch.js";

/**
 * The six switches of an agent, saved at once. Each shows its new place before the service has answered, and goes back if it refuses;
 * edits go out one after another, so that a second one builds on the first.
 *
 * @param {{ agent: any, changed: () => void }} props
 */
export function SectorSwitches({ agent, changed }) {
  const [sectors, setSectors] = useState(agent.sectors);
  const line = useRef(Promise.resolve());
  const wanted = useRef(agent.sectors);
  const open = useRef(0);
  useEffect(() => {
    if (open.current > 0) return;
    wanted.current = agent.sectors;
    setSectors(agent.sectors);
  }, [agent.sectors.join()]);

  const toggle = (/** @type {string} */ sector, /** @type {boolean} */ isOn) => {
    wanted.current = withSector(wanted.current, sector, isOn);
    setSectors(wanted.current);
    open.current += 1;
    const sent = wanted.current;
    line.current = line.current.then(() => save(agent.name, sent, sector, isOn)).catch((error) => {
      sayFailed(error);
      wanted.current = withSector(wanted.current, sector, !isOn);
      setSectors(wanted.current);
    }).finally(() => {
      open.current -= 1;
      if (open.current === 0) changed();
    });
  };

  const { isAll, granted, unknown } = readSectors(sectors);
  const isActive = agent.status === "active";
  return html`
    <div class="switches" role="group" aria-label=${`Sectors of ${agent.name}`}>
      ${SECTORS.map((sector) => html`<${Switch} key=${sector} label=${html`<${SectorName} name=${sector} />`} isOn=${granted.includes(sector)} disabled=${!isActive} change=${(/** @type {boolean} */ isOn) => toggle(sector, isOn)}>
        <${Holding} sector=${sector} />
      <//>`)}
    </div>
    ${isAll && html`<${Note}>All six sectors (set outside the Console).<//>`}
    ${unknown.map((word) => html`<${Note} key=${word} icon="triangle-alert" kind="warn">Unrecognised sector “<bdi>${word}</bdi>” has no effect.<//>`)}
    ${isActive && granted.length === 0 && html`<${Note}>No sectors yet. This agent connects, and every call it makes is denied until you turn a sector on.<//>`}
    ${agent.status === "revoked" && html`<${Note} icon="ban">Revoked. It comes back when its key is rotated.<//>`}
    ${agent.status === "expired" && html`<${Note} icon="calendar-clock" kind="warn">Its deadline has passed. Give it a new one to let it in again.<//>`}
  `;
}

/** @param {string} name @param {string[]} sectors @param {string} sector @param {boolean} isOn */
async function save(name, sectors, sector, isOn) {
  const { sessionsEnded } = await call("PATCH /api/agents/{name}", { path: { name }, body: { sectors } });
  const what = isOn ? `can use ${sector} from its next session` : `can no longer use ${sector}`;
  sayDone(`Saved. ${name} ${what}.${sessionsEnded > 0 ? ` ${counted(sessionsEnded, "live session")} ended.` : ""}`);
}

/** What the agent gets with this sector: rows, span, newest. @param {{ sector: string }} props */
function Holding({ sector }) {
  const holding = holdings.value[sector];
  if (!holding) return html`<small>…</small>`;
  if (holding.rows === 0) return html`<small>nothing stored yet</small>`;
  return html`<small>${count(holding.rows)} rows${holding.from && holding.to && html`, ${day(holding.from)} to ${day(holding.to)}`}</small>`;
}
