// One record: every field whole, where it leads, what leads to it, and on demand what its source sent beyond the fields.

import { useState } from "../../vendor/hooks.js";
import { here } from "../../core/address.js";
import { call } from "../../core/call.js";
import { counted } from "../../core/format.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { Button, ButtonLink } from "../../parts/button.js";
import { Copy } from "../../parts/code.js";
import { Icon } from "../../parts/icon.js";
import { PageHead } from "../../parts/page-head.js";
import { Empty, Loaded, Note } from "../../parts/states.js";
import { AsSent, Locked } from "./agent.js";
import { Behind } from "./behind.js";
import { Crumbs } from "./crumbs.js";
import { useNames } from "./names.js";
import { NoTables } from "./no-tables.js";
import { Notes, Sources } from "./notes.js";
import { RecordField } from "./record-field.js";
import { bare, fieldNames, fieldOf, isOrderKnown, keepOrder, linksTo, tablesOf, titleField, useSchema } from "./schema.js";
import { samplesOf } from "./table.js";
import { asText } from "./value.js";

/** What a source sent, beyond the fields of the table. */
const SENT = ["extra", "raw"];

/** @param {{ reader: import("./reader.js").Reader, sector: string, table: string, id: string }} props */
export function RecordView({ reader, sector, table: name, id }) {
  const schema = useSchema(reader);
  const own = useResource(async (signal) => {
    const [answer] = await Promise.all([reader.record(sector, id, {}, signal), learnOrder(reader, sector, `${sector}.${name}`, id, signal)]);
    return answer;
  }, [reader.base, sector, id]);
  const connections = useResource((signal) => call("GET /api/connections", { signal }), [], { on: ["connection"] });
  const found = schema.value;
  const isLocked = found !== null && reader.agent !== null && tablesOf(found, sector).length === 0;
  const table = found?.tables.find(({ target }) => target === (own.value?.target ?? `${sector}.${name}`));
  const isMissing = !isLocked && found !== null && (!table || isUnknown(own));
  const heading = found && table && own.value?.record ? headingOf(found, table, own.value.record, id) : "Record";
  return html`
    <${BackCrumbs} reader=${reader} sector=${sector} table=${name} />
    <${PageHead} title=${html`<bdi>${heading}</bdi>`} name=${`${heading} · ${sector}.${name}`} about=${table && !isMissing && html`A record of ${table.target}.${reader.agent === null && " Looking here is not recorded."}`}>${table && own.value?.record && html`<${Copy} text=${id} what="id" />`}<//>
    <${NoTables} reader=${reader} of=${schema} />
    ${isLocked && html`<section class="card"><${Locked} reader=${reader} sector=${sector} table=${name} /></section>`}
    ${isMissing && html`<${Empty} icon="search" title="There is no such record" act=${html`<${ButtonLink} href=${`${reader.base}/${sector}${table ? `/${name}` : ""}`}>Show the ${table ? `rows of ${name}` : `tables of ${sector}`}<//>`}>It may have been deleted at its source.<//>`}
    ${found && table && !isMissing && html`<${Loaded} of=${own} what="the record" lines=${10}>${(/** @type {any} */ answer) => html`
      <${Whole} reader=${reader} schema=${found} sector=${sector} table=${table} id=${id} answer=${answer} samples=${samplesOf(connections.value?.connections)} />`}<//>`}
  `;
}

/** Whether there is no such record, or it can have no such id. @param {{ value: any, error: any }} own */
function isUnknown({ value, error }) {
  return error?.status === 404 || error?.code === "invalid" || value?.record === null;
}

/** The way back; the table as it was left lies one step back in the history. @param {{ reader: import("./reader.js").Reader, sector: string, table: string }} props */
function BackCrumbs({ reader, sector, table }) {
  const from = here.value.state.from;
  const back = (/** @type {MouseEvent} */ event) => {
    if (!from || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.back();
  };
  return html`<${Crumbs} reader=${reader} sector=${sector} table=${table} tableHref=${from} back=${back} />`;
}

/** What a record is called. @param {import("./schema.js").Schema} schema @param {import("./schema.js").Table} table @param {any} record @param {string} id */
function headingOf(schema, table, record, id) {
  const title = titleField(table, fieldNames(schema, table).filter((name) => record[name] !== null && record[name] !== undefined));
  return asText(record[title], fieldOf(schema, table, title)) || id;
}

/** Has the order of the table's fields known; a record itself lists them by name. @param {import("./reader.js").Reader} reader @param {string} sector @param {string} target @param {string} id @param {AbortSignal} signal */
async function learnOrder(reader, sector, target, id, signal) {
  if (isOrderKnown(target)) return;
  try {
    const answer = await reader.query(sector, { target, where: { id }, limit: 1, budget: 25_000 }, signal);
    keepOrder(target, answer.columns);
  } catch {
    // The fields then stand by their names.
  }
}

/** @param {{ reader: import("./reader.js").Reader, schema: import("./schema.js").Schema, sector: string, table: import("./schema.js").Table, id: string, answer: any, samples: Set<string> }} props */
function Whole({ reader, schema, sector, table, id, answer, samples }) {
  const { record } = answer;
  const names = [...new Set([...fieldNames(schema, table).filter((name) => name in record), ...Object.keys(record)])].filter((name) => !SENT.includes(name));
  const filled = names.filter((name) => record[name] !== null);
  const empty = names.filter((name) => record[name] === null);
  const called = useNames({ reader, schema, table, answer: { columns: filled, rows: [filled.map((name) => record[name])] }, columns: filled });
  const common = { reader, schema, sector, table, id, untrusted: answer.untrusted };
  return html`
    <dl class="data-fields">${filled.map((name) => html`<${RecordField} key=${name} ...${common} name=${name} value=${record[name]} called=${called.get(record[name])} />`)}</dl>
    ${empty.length > 0 && html`<details class="data-empty-fields"><summary><${Icon} name="chevron-right" />${counted(empty.length, "field")} without a value</summary><p class="mono">${empty.join(", ")}</p></details>`}
    <${Links} reader=${reader} sector=${sector} schema=${schema} table=${table} record=${record} />
    <${Sent} ...${common} />
    <${Notes} answer=${answer} />
    <${Sources} sources=${answer.sources} samples=${samples} />
    ${reader.agent !== null && html`<${AsSent} answer=${answer} tool="get_record" request=${{ target: sector, id }} />`}
  `;
}

/** The tables that refer to this record. @param {{ reader: any, sector: string, schema: any, table: any, record: any }} props */
function Links({ reader, sector, schema, table, record }) {
  const links = linksTo(schema, table, record);
  if (links.length === 0) return null;
  return html`<section class="data-links"><h2>Refer to this record</h2>
    <ul>${links.map(({ table: other, name, where }) => html`<li key=${`${other.target} ${name}`}><a href=${`${reader.base}/${sector}/${bare(other)}?where=${encodeURIComponent(where)}`}>${bare(other)} <span class="muted">by ${name}</span></a></li>`)}</ul>
  </section>`;
}

/** What the source sent, on demand. @param {any} props */
function Sent(props) {
  const [isOpen, setOpen] = useState(false);
  return html`<section class="data-raw">
    <${Button} act=${() => setOpen(!isOpen)} icon=${isOpen ? "eye-off" : "eye"} size="sm">${isOpen ? "Hide raw and extra" : "Show raw and extra"}<//>
    ${isOpen && html`<${SentFields} ...${props} />`}
  </section>`;
}

/** @param {{ reader: import("./reader.js").Reader, sector: string, id: string }} props */
function SentFields(props) {
  const { reader, sector, id } = props;
  const own = useResource((signal) => reader.record(sector, id, { raw: true }, signal), [reader.base, id]);
  return html`<${Loaded} of=${own} what="what the source sent" lines=${2}>${(/** @type {any} */ answer) => {
    const sent = SENT.filter((name) => answer.record[name] !== null && answer.record[name] !== undefined);
    const own = sent.length === 0
      ? html`<${Note}>The source sent nothing beyond these fields.<//>`
      : html`<dl class="data-fields">${sent.map((name) => html`<${RecordField} key=${name} ...${props} untrusted=${answer.untrusted} name=${name} value=${answer.record[name]} />`)}</dl>`;
    return html`${own}<${Behind} rows=${answer.behind} common=${props} />`;
  }}<//>`;
}
