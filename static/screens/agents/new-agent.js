import { useState } from "../../vendor/hooks.js";
import { faultOfDays, faultOfName } from "../../core/agents.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { SECTORS } from "../../core/sectors.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { SectorName } from "../../parts/sector.js";
import { Note } from "../../parts/states.js";
import { Switch } from "../../parts/switch.js";
import { DeadlineField } from "./deadline.js";

/** Preselected; the route's own default is never. */
const DAYS = "90";

/**
 * Name, sectors, deadline, then the key.
 *
 * @param {{ names: string[], close: () => void, done: (made: any) => void }} props `names` of the agents there are
 */
export function NewAgent({ names, close, done }) {
  const [name, setName] = useState("");
  const [sectors, setSectors] = useState(/** @type {string[]} */ ([]));
  const [days, setDays] = useState(DAYS);
  const [fault, setFault] = useState(/** @type {{ field?: string, message: string } | null} */ (null));
  const exists = names.includes(name);
  const create = async () => {
    const wrong = faultOfName(name);
    if (wrong) return setFault({ field: "name", message: wrong });
    const wrongDays = days === "never" ? null : faultOfDays(days);
    if (wrongDays) return setFault({ field: "expiresInDays", message: wrongDays });
    try {
      done(await call("POST /api/agents", { body: { name, sectors, expiresInDays: days === "never" ? null : Number(days) } }));
    } catch (error) {
      const { field, message } = /** @type {any} */ (error);
      setFault({ field, message });
    }
  };
  const toggle = (/** @type {string} */ sector, /** @type {boolean} */ isOn) => setSectors(isOn ? [...sectors, sector] : sectors.filter((own) => own !== sector));
  const faultOf = (/** @type {string} */ field) => (fault?.field === field ? fault.message : null);
  const footer = html`
    <button type="button" class="btn" data-variant="outline" onClick=${close}>Cancel</button>
    <${Button} act=${create} variant="primary">${exists ? "Replace key" : "Create key"}<//>
  `;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void create();
  };
  return html`<${Dialog} title="New agent" about="A program gets a key of its own, and with it what you turn on here." close=${close} wide footer=${footer}>
    <form class="stack" onSubmit=${submit}>
      <${Field} label="Name" help="As it stands in the audit log." error=${faultOf("name")}>${(/** @type {any} */ ids) => html`
        <input ...${ids} class="input" value=${name} autofocus autocomplete="off" spellcheck=${false} maxlength="64" onInput=${(/** @type {any} */ event) => (setName(event.currentTarget.value), setFault(null))} />`}
      <//>
      ${exists && html`<${Note} icon="triangle-alert" kind="warn"><span role="alert">${name} exists. This replaces its key.</span><//>`}
      <fieldset class="fieldset"><legend class="label">Sectors</legend>
        <div class="switches two">${SECTORS.map((sector) => html`<${Switch} key=${sector} label=${html`<${SectorName} name=${sector} />`} isOn=${sectors.includes(sector)} change=${(/** @type {boolean} */ isOn) => toggle(sector, isOn)} />`)}</div>
      </fieldset>
      <${DeadlineField} days=${days} change=${setDays} error=${faultOf("expiresInDays")} />
      ${fault && !["name", "expiresInDays"].includes(fault.field ?? "") && html`<${Note} icon="triangle-alert" kind="bad"><span role="alert">${fault.message}</span><//>`}
    </form>
  <//>`;
}
