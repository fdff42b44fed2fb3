// From a group to its rows: the filters that hold exactly for them.

import { fieldOf } from "./schema.js";

/** @typedef {import("./view.js").Filter} Filter */

/** @param {import("./schema.js").Schema} schema @param {import("./schema.js").Table} table @param {{ name: string, value: any }[]} keys @returns {Filter[] | null} null where no filter says it */
export function drilled(schema, table, keys) {
  const filters = keys.map(({ name, value }) => one(schema, table, name, value));
  return filters.includes(null) ? null : filters.flatMap((filter) => filter ?? []);
}

/** @param {import("./schema.js").Schema} schema @param {import("./schema.js").Table} table @param {string} name @param {any} value @returns {Filter[] | null} */
function one(schema, table, name, value) {
  const [field = "", bucket] = name.split(":");
  if (value === null) return [{ field, operator: "is_null", value: "true" }];
  if (bucket === undefined) return fieldOf(schema, table, field).type === "timestamp" ? null : [{ field, operator: "eq", value: String(value) }];
  const end = dayAfter(String(value), bucket);
  if (end === null) return null;
  return [{ field, operator: "gte", value: String(value) }, { field, operator: "lt", value: end }];
}

/** The first day after an interval of days that begins on `day`. @param {string} day @param {string} bucket */
function dayAfter(day, bucket) {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const ends = /** @type {Record<string, [number, number, number]>} */ ({ day: [0, 0, 1], week: [0, 0, 7], month: [0, 1, 0], quarter: [0, 3, 0], year: [1, 0, 0] });
  const step = ends[bucket];
  if (!step) return null;
  return new Date(Date.UTC(year + step[0], month - 1 + step[1], date + step[2])).toISOString().slice(0, 10);
}
