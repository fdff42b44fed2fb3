import { useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { SECTORS } from "../../core/sectors.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Field, Select } from "../../parts/field.js";
import { Loaded, Note } from "../../parts/states.js";
import { LABEL_CHARS_MAX } from "./label-field.js";

/** Sector, table, label; then the secret. @param {{ close: () => void, done: (answer: any) => void }} props */
export function NewConnection({ close, done }) {
  const tables = useResource((signal) => call("GET /api/push-tables", { signal }), []);
  const [sector, setSector] = useState("finance");
  const [target, setTarget] = useState("");
  const [label, setLabel] = useState("");
  const [fault, setFault] = useState(/** @type {{ field?: string, message: string } | null} */ (null));
  const create = async (/** @type {any[]} */ own) => {
    if (label.trim() === "") return setFault({ field: "label", message: "Give it a label, as it will stand in the list." });
    const table = own.some((each) => each.target === target) ? target : own[0].target;
    try {
      done(await call("POST /api/connections", { body: { provider: "push", sector: /** @type {any} */ (sector), table, label } }));
    } catch (error) {
      const { field, message } = /** @type {any} */ (error);
      setFault({ field, message });
    }
  };
  return html`<${Loaded} of=${tables} what="the tables">${(/** @type {any} */ answer) => {
    const own = answer.tables.filter((/** @type {any} */ table) => table.sector === sector);
    const chosen = own.find((/** @type {any} */ table) => table.target === target) ?? own[0];
    const footer = html`<button type="button" class="btn" data-variant="outline" onClick=${close}>Cancel</button><${Button} act=${() => create(own)} variant="primary">Create connection<//>`;
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      void create(own);
    };
    return html`<${Dialog} title="New connection" about="A device or a program pushes records of one table. Sector and table never change." close=${close} footer=${footer}>
      <form class="stack" onSubmit=${submit}>
        <${Select} label="Sector" value=${sector} options=${[...SECTORS]} change=${setSector} />
        <${Select} label="Table" value=${chosen.target} options=${own.map((/** @type {any} */ table) => [table.target, table.target])} change=${setTarget} />
        <p class="muted">${chosen.about}</p>
        <${Field} label="Label" error=${fault?.field === "label" ? fault.message : null}>${(/** @type {any} */ ids) => html`<input ...${ids} class="input" value=${label} maxlength=${LABEL_CHARS_MAX} autocomplete="off" onInput=${(/** @type {any} */ event) => (setLabel(event.currentTarget.value), setFault(null))} />`}<//>
        ${fault && fault.field !== "label" && html`<${Note} icon="triangle-alert" kind="bad"><span role="alert">${fault.message}</span><//>`}
      </form>
    <//>`;
  }}<//>`;
}
