import { useRef, useState } from "../../vendor/hooks.js";
import { read, send } from "../../core/call.js";
import { count, counted, size } from "../../core/format.js";
import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { Button } from "../../parts/button.js";
import { Field } from "../../parts/field.js";
import { Note } from "../../parts/states.js";

/** An export taken back into a store without rows. */
export function ImportCard() {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [told, setTold] = useState(/** @type {any} */ (null));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const take = async () => {
    setError(null);
    setTold(null);
    try {
      // The browser reads the file while it sends it.
      const answer = await read(await send("/api/import", { method: "POST", headers: { "content-type": "application/zip" }, body: file }));
      setTold(answer);
      sayDone(`Imported ${counted(answer.imported, "row")}.`);
    } catch (error) {
      setError(/** @type {Error} */ (error));
    }
  };
  const choose = (/** @type {any} */ event) => setFile(event.currentTarget.files[0] ?? null);
  return html`<section class="card" aria-labelledby="import-head">
    <h2 id="import-head">Import</h2>
    <p class="muted">Takes an export back, into a store without rows. Agents come back revoked, since keys are not in it.</p>
    <${Field} label="Export (.zip)">${(/** @type {any} */ ids) => html`<input ...${ids} ref=${input} class="input" type="file" accept=".zip,application/zip" onChange=${choose} />`}<//>
    <div class="acts"><${Button} act=${take} icon="file-up" disabled=${!file}>Import${file && ` ${size(file.size)}`}<//></div>
    ${error && html`<${Note} icon="triangle-alert" kind="bad"><span role="alert">${error.message}</span><//>`}
    ${told && html`<${Note} icon="circle-check" kind="good">${count(told.imported)} rows, ${counted(told.connections, "connection")}, ${counted(told.agents, "agent")}.<//>${told.notes.map((/** @type {string} */ note) => html`<${Note} key=${note}>${note}<//>`)}`}
  </section>`;
}
