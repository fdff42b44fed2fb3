import { go, here, withQuery } from "../../core/address.js";
import { call } from "../../core/call.js";
import { html } from "../../core/html.js";
import { useResource } from "../../core/resource.js";
import { SECTORS } from "../../core/sectors.js";
import { Field, Select } from "../../parts/field.js";

/** The filters of the audit log, as the route and the address name them. */
export const FILTERS = ["agent", "tool", "sector", "result", "from", "to", "q"];

/** @param {{ filters: Record<string, string> }} props */
export function Filters({ filters }) {
  const facets = useResource((signal) => call("GET /api/audit/facets", { signal }), [], { on: ["agent"] });
  const set = (/** @type {string} */ name, /** @type {string} */ value) => go(withQuery({ [name]: value, before: null, after: null }), { keepScroll: true });
  const any = /** @type {[string, string][]} */ ([["", "Any"]]);
  // What the address names is offered too, when no row has it yet.
  const listed = (/** @type {string[] | undefined} */ names, /** @type {string} */ own) => [...new Set([...(names ?? []), ...(own && own !== "-" ? [own] : [])])].map((name) => /** @type {[string, string]} */ ([name, name]));
  const isFiltered = FILTERS.some((name) => filters[name]);
  return html`<form class="filters activity-filters" aria-label="Filters" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <${Select} label="Agent" value=${filters.agent} options=${[...any, ["-", "(none)"], ...listed(facets.value?.agents, filters.agent ?? "")]} change=${(/** @type {string} */ value) => set("agent", value)} />
    <${Select} label="Tool" value=${filters.tool} options=${[...any, ...listed(facets.value?.tools, filters.tool ?? "")]} change=${(/** @type {string} */ value) => set("tool", value)} />
    <${Select} label="Sector" value=${filters.sector} options=${[...any, ...SECTORS.map((name) => [name, name])]} change=${(/** @type {string} */ value) => set("sector", value)} />
    <${Select} label="Result" value=${filters.result} options=${[...any, ["allowed", "Allowed"], ["denied", "Denied"], ["errored", "Errored"]]} change=${(/** @type {string} */ value) => set("result", value)} />
    <${Text} label="From" type="date" value=${dayOf(filters.from)} change=${(/** @type {string} */ value) => set("from", value)} />
    <${Text} label="Before" type="date" value=${dayOf(filters.to)} change=${(/** @type {string} */ value) => set("to", value)} />
    <${Text} label="Text" type="search" value=${filters.q} change=${(/** @type {string} */ value) => set("q", value)} />
    ${isFiltered && html`<a class="btn" data-variant="ghost" href=${here.value.path}>Clear filters</a>`}
  </form>`;
}

/** @param {string | undefined} instant */
function dayOf(instant) {
  return instant?.slice(0, 10) ?? "";
}

/** A filter that is typed: taken when it is left, or with Enter. @param {{ label: string, type: string, value: string | undefined, change: (value: string) => void }} props */
function Text({ label, type, value, change }) {
  return html`<${Field} label=${label}>${(/** @type {any} */ ids) => html`<input ...${ids} class="input" type=${type} value=${value} onChange=${(/** @type {any} */ event) => change(event.currentTarget.value)} />`}<//>`;
}
