// What a table's address says: filters, order, search, columns, groups. Short enough to read, and to send to somebody.
//
//   ?where=amount.lt.-50&where=category.eq.coffee&sort=-amount&q=market&columns=booked_on,amount
//   ?by=category,booked_on:month&of=count,sum(amount)

import { ExactNumber } from "../../core/json.js";
import { isNumber } from "./schema.js";

/** @typedef {{ field: string, operator: string, value: string }} Filter */
/** @typedef {{ where: Filter[], sort: string, search: string, columns: string[], by: string[], of: string[], isGrouped: boolean, page: number }} View */

/** Rows a page. */
export const PAGE_ROWS = 50;
/** The largest answer that the service gives, in tokens. */
const BUDGET_MAX = 25_000;
/** The most groups that it answers. */
const GROUPS_MAX = 1_000;

/** @param {URLSearchParams} query @returns {View} */
export function readView(query) {
  return {
    where: query.getAll("where").map(readFilter),
    sort: query.get("sort") ?? "",
    search: query.get("q") ?? "",
    columns: words(query.get("columns")),
    by: words(query.get("by")),
    of: words(query.get("of")),
    isGrouped: query.has("by") || query.has("of"),
    page: Math.max(1, Number(query.get("page") ?? 1) || 1),
  };
}

/** The address of a view. @param {string} path @param {View} view */
export function writeView(path, view) {
  const query = new URLSearchParams();
  for (const { field, operator, value } of view.where) query.append("where", `${field}.${operator}.${value}`);
  if (view.search) query.set("q", view.search);
  if (view.isGrouped) {
    query.set("by", view.by.join());
    query.set("of", view.of.join());
  }
  if (view.sort) query.set("sort", view.sort);
  if (view.columns.length > 0) query.set("columns", view.columns.join());
  if (view.page > 1) query.set("page", String(view.page));
  // What needs no escape in an address stays readable.
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%28", "(").replaceAll("%29", ")");
  return text ? `${path}?${text}` : path;
}

/** @param {string | null} list */
function words(list) {
  return (list ?? "").split(",").filter(Boolean);
}

/** @param {string} text @returns {Filter} */
function readFilter(text) {
  const [field = "", operator = "", ...rest] = text.split(".");
  return { field, operator, value: rest.join(".") };
}

/**
 * The query of a view.
 *
 * @param {import("./schema.js").Table} table
 * @param {View} view
 * @param {string | null} cursor
 */
export function requestOf(table, view, cursor) {
  const request = /** @type {Record<string, unknown>} */ ({ target: table.target, limit: PAGE_ROWS, budget: BUDGET_MAX });
  const where = view.where.map((filter) => ({ [filter.field]: { [filter.operator]: sent(filter, table) } }));
  if (where.length > 0) request.where = where.length === 1 ? where[0] : { and: where };
  if (view.search) request.search = view.search;
  if (view.isGrouped) {
    request.limit = GROUPS_MAX;
    request.group_by = view.by;
    if (view.of.length > 0) request.aggregate = Object.fromEntries(view.of.map((formula) => [measureName(formula), formula]));
    const isShown = [...view.by, ...view.of.map(measureName)].includes(view.sort.replace(/^-/, ""));
    if (isShown) request.order_by = [view.sort];
    return request;
  }
  if (view.columns.length > 0) request.select = [...new Set(["id", ...view.columns])];
  if (view.sort) request.order_by = [view.sort];
  if (cursor) request.cursor = cursor;
  return request;
}

/** The column of an aggregate: `sum(amount)` gives `sum_amount`. @param {string} formula */
export function measureName(formula) {
  return formula === "count" ? "rows" : formula.replace(/\W+/g, "_").replace(/_$/, "");
}

/** A filter's value as it is sent. @param {Filter} filter @param {import("./schema.js").Table} table */
function sent({ field, operator, value }, table) {
  const type = table.fields[field]?.type ?? "text";
  if (operator === "is_null" || (type === "boolean" && /^(true|false)$/.test(value))) return value === "true";
  // Numbers go out in the digits they were typed in; what is none is refused by the service, in its words.
  const one = (/** @type {string} */ word) => (isNumber(type) && NUMBER.test(word) ? new ExactNumber(word) : word);
  if (operator === "in" || operator === "not_in") return value.split(",").map((word) => one(word.trim()));
  return one(value);
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;
