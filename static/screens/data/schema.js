// The tables as the catalogue describes them, and what follows from that: which field names a record, which dates it, what links where.

import { useResource } from "../../core/resource.js";

/** @typedef {{ type: string, unit?: string, values?: string[], more_values?: number, searchable?: boolean, untrusted?: boolean }} FieldSpec */
/** @typedef {{ target: string, about: string, rows?: number, covers?: string[], fields: Record<string, FieldSpec>, joins?: Record<string, string>, examples: any[] }} Table */
/** @typedef {{ tables: Table[], every_record: Record<string, string> }} Schema */

const remembered = /** @type {Map<string, Schema>} */ (new Map());

/** What there is to read; what was read before is shown at once. @param {import("./reader.js").Reader} reader */
export function useSchema(reader) {
  const own = useResource(async (signal) => {
    const schema = /** @type {Schema} */ (await reader.schema(signal));
    remembered.set(reader.base, schema);
    return schema;
  }, [reader.base], { on: ["connection", "upload", "agent"] });
  const isRefused = own.error !== null && /** @type {any} */ (own.error).code !== "silent";
  return { ...own, value: isRefused ? null : (own.value ?? remembered.get(reader.base) ?? null) };
}

/** @param {Schema} schema @param {string} sector */
export function tablesOf(schema, sector) {
  return schema.tables.filter(({ target }) => target.startsWith(`${sector}.`));
}

/** A table's name within its sector. @param {Table} table */
export function bare(table) {
  return table.target.slice(table.target.indexOf(".") + 1);
}

/** A field's specification, also of what every record has. @param {Schema} schema @param {Table} table @param {string} name @returns {FieldSpec} */
export function fieldOf(schema, table, name) {
  return table.fields[name] ?? { type: schema.every_record[name] ?? "text" };
}

/** Every field that a table can be asked for, in the order of an answer where one was seen. @param {Schema} schema @param {Table} table */
export function fieldNames(schema, table) {
  const seen = orders.get(table.target) ?? [];
  const all = [...Object.keys(table.fields), ...Object.keys(schema.every_record)];
  return [...seen.filter((name) => all.includes(name)), ...all.filter((name) => !seen.includes(name))];
}

const orders = /** @type {Map<string, string[]>} */ (new Map());

/** Keeps the order in which an answer gave a table's fields. @param {string} target @param {string[]} columns */
export function keepOrder(target, columns) {
  if (!orders.has(target) || columns.length > (orders.get(target)?.length ?? 0)) orders.set(target, columns);
}

/** Whether the order of a table's fields is known. @param {string} target */
export function isOrderKnown(target) {
  return orders.has(target);
}

const NUMBERS = ["decimal", "integer", "number"];

/** @param {string} type */
export function isNumber(type) {
  return NUMBERS.includes(type);
}

/** Whether the values can be put in order. @param {string} type */
export function isOrderable(type) {
  return !["json", "text list", "integer list"].includes(type);
}

/** Whether the rows can be counted by the values. @param {string} type */
export function isTime(type) {
  return type === "date" || type === "timestamp";
}

/** The field that dates a record: the one that the catalogue's first example asks by. @param {Table} table */
export function mainTime(table) {
  return Object.keys(table.examples[0]?.where ?? {}).find((name) => isTime(table.fields[name]?.type ?? ""));
}

/** Names under which tables keep what a record is called, the likeliest first. */
const NAMES = [/^(name|title|subject|summary|full_name)$/, /_(name|title)$/];

/** The field that names a record: by its name, else the first searchable text, else what dates it, else the first that is no reference. @param {Table} table @param {string[]} columns */
export function titleField(table, columns) {
  const own = columns.filter((name) => name in table.fields);
  const texts = own.filter((name) => table.fields[name]?.type === "text");
  const named = NAMES.flatMap((pattern) => texts.filter((name) => pattern.test(name)));
  return (
    named.find((name) => table.fields[name]?.searchable) ??
    own.find((name) => table.fields[name]?.searchable) ??
    named[0] ??
    mainTime(table) ??
    own.find((name) => !isReference(table, name)) ??
    columns[0] ??
    "id"
  );
}

/** Whether a field says which other record is meant, or what a source calls this one. @param {Table} table @param {string} name */
export function isReference(table, name) {
  return table.fields[name]?.type === "id" || name in (table.joins ?? {}) || /(^|_)ids?$/.test(name);
}

/** Where a value that refers to another record leads. @param {string} base @param {Table} table @param {string} name @param {any} value */
export function linkOf(base, table, name, value) {
  const meets = table.joins?.[name];
  if (!meets || value === null || typeof value === "object") return null;
  const [other = "", field = ""] = meets.split(".");
  const place = `${base}/${table.target.split(".")[0]}/${other}`;
  return field === "id" ? `${place}/${encodeURIComponent(value)}` : `${place}?where=${encodeURIComponent(`${field}.eq.${value}`)}`;
}

/** The tables of the same sector whose records refer to this one's. @param {Schema} schema @param {Table} table @param {Record<string, any>} record */
export function linksTo(schema, table, record) {
  const sector = table.target.split(".")[0] ?? "";
  return tablesOf(schema, sector).flatMap((other) =>
    Object.entries(other.joins ?? {}).flatMap(([name, meets]) => {
      const [own, field = ""] = meets.split(".");
      const value = record[field];
      if (own !== bare(table) || value === null || value === undefined) return [];
      const operator = other.fields[name]?.type === "text list" ? "contains" : "eq";
      return [{ table: other, name, where: `${name}.${operator}.${value}` }];
    }),
  );
}
