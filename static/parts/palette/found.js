// What the search finds: places by their names, and records by full text.

import { useEffect, useState } from "../../vendor/hooks.js";
import { call } from "../../core/call.js";
import { SECTOR_ICONS, SECTORS } from "../../core/sectors.js";

/** Before the data is searched, ms: not at every letter. */
const PAUSE_MS = 250;
/** Letters from which the data is searched. */
const LETTERS_MIN = 2;
/** Records of a sector that are shown, and places of a kind. */
const SHOWN_MAX = 5;
const TITLE_CHARS_MAX = 120;

/** @typedef {{ group: string, name: string, href: string, icon: string }} Item */

/** The table of each sector that is searched by its text. @type {Record<string, string>} */
const SEARCHED = { finance: "transactions", mail: "messages", calendar: "events", contacts: "people", health: "workouts", home: "entities" };

/** @type {Item[]} */
const SCREENS = [
  ["Overview", "/", "layout-dashboard"],
  ["Connections", "/connections", "plug"],
  ["Connect a source", "/connections/new", "plus"],
  ["New connection for pushes", "/connections/new/push", "plus"],
  ["Bring files", "/connections/files", "file-up"],
  ["Agents", "/agents", "key-round"],
  ["New agent", "/agents?new=1", "plus"],
  ["Activity", "/activity", "activity"],
  ["Data", "/data", "database"],
  ["Settings: your data", "/settings/data", "settings"],
  ["Settings: provider apps", "/settings/providers", "settings"],
  ["Settings: system", "/settings/system", "settings"],
  ["Welcome", "/welcome", "house"],
].map(([name = "", href = "", icon = ""]) => ({ group: "screen", name, href, icon }));

/** Screens, agents, connections and tables whose names hold the text. @param {string} text @returns {Item[]} */
export function usePlaces(text) {
  const [known, setKnown] = useState(SCREENS);
  useEffect(() => {
    const add = (/** @type {Item[]} */ items) => setKnown((before) => [...before, ...items]);
    call("GET /api/agents").then(({ agents }) => add(agents.map(({ name }) => ({ group: "agent", name, href: `/agents/${encodeURIComponent(name)}`, icon: "key-round" })))).catch(() => {});
    call("GET /api/connections").then(({ connections }) => add(connections.map(({ id, label }) => ({ group: "connection", name: label, href: `/connections/${id}`, icon: "plug" })))).catch(() => {});
    call("GET /api/operator/schema").then(({ tables }) => add(tables.map(({ target }) => ({ group: "table", name: target, href: `/data/${target.replace(".", "/")}`, icon: "table-2" })))).catch(() => {});
  }, []);
  const wanted = text.trim().toLowerCase();
  const fitting = known.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (wanted === "") return fitting.filter(({ group }) => group === "screen");
  return ["screen", "agent", "connection", "table"].flatMap((kind) => fitting.filter(({ group }) => group === kind).slice(0, SHOWN_MAX));
}

/**
 * Records of all six sectors that hold the text; each sector as it answers.
 *
 * @param {string} text
 * @returns {{ records: Item[], isSearching: boolean, faults: string[] }}
 */
export function useFound(text) {
  const [found, setFound] = useState(/** @type {Record<string, Item[] | Error>} */ ({}));
  const wanted = text.trim();
  useEffect(() => {
    setFound({});
    if (wanted.length < LETTERS_MIN) return undefined;
    const aborted = new AbortController();
    const tell = (/** @type {string} */ sector, /** @type {Item[] | Error} */ answer) => !aborted.signal.aborted && setFound((before) => ({ ...before, [sector]: answer }));
    const timer = setTimeout(() => {
      for (const sector of SECTORS) searchIn(sector, wanted, aborted.signal).then((items) => tell(sector, items), (error) => tell(sector, error));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      aborted.abort();
    };
  }, [wanted]);
  const answers = SECTORS.map((sector) => found[sector]);
  return {
    records: answers.flatMap((answer) => (Array.isArray(answer) ? answer : [])),
    isSearching: wanted.length >= LETTERS_MIN && answers.some((answer) => answer === undefined),
    faults: SECTORS.filter((sector) => found[sector] instanceof Error),
  };
}

/** @param {import("../../core/sectors.js").Sector} sector @param {string} text @param {AbortSignal} signal @returns {Promise<Item[]>} */
async function searchIn(sector, text, signal) {
  const table = SEARCHED[sector] ?? "";
  const body = /** @type {any} */ ({ target: table, search: text, limit: SHOWN_MAX, format: "records" });
  const { rows } = await call("POST /api/data/{sector}", { path: { sector }, body, signal });
  return rows.map((/** @type {any} */ row) => ({ group: sector, name: titleOf(row), href: `/data/${sector}/${table}/${row.id}`, icon: SECTOR_ICONS[sector] ?? "file" }));
}

/** What names a record: its first words that are not an id. @param {any} row */
function titleOf(row) {
  const names = ["subject", "summary", "full_name", "description", "merchant_name", "name", "sport_name"];
  const title = names.map((name) => row[name]).find((value) => typeof value === "string" && value !== "") ?? row.id;
  return title.replace(/\s+/g, " ").slice(0, TITLE_CHARS_MAX);
}
