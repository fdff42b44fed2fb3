// The conditions that a field of each type can be held to, in words.

/** @typedef {[operator: string, words: string]} Condition `is_null` stands twice: with true and with false */

const NULLS = /** @type {Condition[]} */ ([["is_null:true", "is empty"], ["is_null:false", "is not empty"]]);
const SAME = /** @type {Condition[]} */ ([["eq", "is"], ["ne", "is not"], ["in", "is one of"], ["not_in", "is none of"]]);
const PARTS = /** @type {Condition[]} */ ([["contains", "contains"], ["starts_with", "begins with"]]);
const SIZES = /** @type {Condition[]} */ ([["lt", "<"], ["lte", "≤"], ["gt", ">"], ["gte", "≥"]]);
const TIMES = /** @type {Condition[]} */ ([["gte", "from"], ["gt", "after"], ["lt", "before"], ["lte", "until"]]);

/** The conditions for a field, the most usual first. @param {import("./schema.js").FieldSpec} field @returns {Condition[]} */
export function conditions(field) {
  switch (field.type) {
    case "boolean":
      return [["eq", "is"], ...NULLS];
    case "date":
    case "timestamp":
      return [...TIMES, ["eq", "is"], ["ne", "is not"], ...NULLS];
    case "decimal":
    case "integer":
    case "number":
      return [...SIZES, ...SAME, ...NULLS];
    case "id":
      return [...SAME, ...NULLS];
    case "json":
      return [["contains", "contains"], ...NULLS];
    case "text list":
      return [["contains", "contains"], ...NULLS];
    case "integer list":
      return NULLS;
    default:
      return field.values && !field.more_values ? [...SAME, ...PARTS, ...NULLS] : [...PARTS, ...SAME, ...NULLS];
  }
}

/** Whether a condition needs a value. @param {string} condition */
export function takesValue(condition) {
  return !condition.startsWith("is_null");
}

const WORDS = new Map([...NULLS, ...SIZES, ...SAME, ...PARTS]);

/** A filter in words. @param {import("./view.js").Filter} filter @param {import("./schema.js").FieldSpec | undefined} field */
export function told({ field: name, operator, value }, field) {
  if (operator === "is_null") return `${name} ${value === "true" ? "is empty" : "is not empty"}`;
  const words = new Map(field && ["date", "timestamp"].includes(field.type) ? [...WORDS, ...TIMES] : WORDS);
  const shown = field?.type === "boolean" ? (value === "true" ? "yes" : "no") : value;
  return `${name} ${words.get(operator) ?? operator} ${shown}`;
}

/** Relative times that a date may be compared with. */
export const RELATIVE_DAYS = ["today", "today-7d", "today-30d", "today-90d", "start_of_week", "start_of_month", "start_of_year"];
/** Relative times for an instant. */
export const RELATIVE_TIMES = ["now", "now-6h", ...RELATIVE_DAYS];
