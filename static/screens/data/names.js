// What the records are called that a page of rows refers to: asked once for each table referred to.

import { useResource } from "../../core/resource.js";
import { titleField } from "./schema.js";
import { asText } from "./value.js";

/** Whether the records that a field refers to can be asked for by their ids. @param {import("./schema.js").Table} table @param {string} name */
export function isNamed(table, name) {
  return table.fields[name]?.type === "id" && (table.joins?.[name] ?? "").endsWith(".id");
}

/**
 * @param {{ reader: import("./reader.js").Reader, schema: import("./schema.js").Schema, table: import("./schema.js").Table, answer: any, columns: string[] }} of
 * @returns {Map<string, string>} by id; empty until they are known
 */
export function useNames({ reader, schema, table, answer, columns }) {
  const sector = table.target.split(".")[0] ?? "";
  const wanted = columns.filter((name) => isNamed(table, name)).map((name) => ({
    other: `${sector}.${table.joins?.[name]?.split(".")[0]}`,
    ids: idsIn(answer, name),
  }));
  const own = useResource(async (signal) => {
    const named = await Promise.all(wanted.map(({ other, ids }) => ask(reader, schema, sector, other, ids, signal)));
    return new Map(named.flat());
  }, [reader.base, JSON.stringify(wanted)]);
  return own.value ?? new Map();
}

/** @param {any} answer @param {string} name @returns {string[]} */
function idsIn(answer, name) {
  const at = answer.columns.indexOf(name);
  return [.../** @type {Set<string>} */ (new Set(answer.rows.map((/** @type {any[]} */ row) => row[at]).filter(Boolean)))];
}

/** @param {import("./reader.js").Reader} reader @param {import("./schema.js").Schema} schema @param {string} sector @param {string} target @param {string[]} ids @param {AbortSignal} signal @returns {Promise<[string, string][]>} */
async function ask(reader, schema, sector, target, ids, signal) {
  const table = schema.tables.find((table) => table.target === target);
  if (!table || ids.length === 0) return [];
  const title = titleField(table, Object.keys(table.fields));
  const field = table.fields[title];
  if (!field) return [];
  try {
    const answer = await reader.query(sector, { target, select: ["id", title], where: { id: { in: ids } }, limit: ids.length }, signal);
    return answer.rows.map((/** @type {any[]} */ [id, value]) => [id, asText(value, field)]);
  } catch {
    // Their ids then stand for them.
    return [];
  }
}
