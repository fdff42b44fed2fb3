// What the page knows of agents' names, deadlines and sectors; pure.

import { SECTORS } from "./sectors.js";

/** Names as `POST /api/agents` takes them. */
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
const RESERVED = ["operator", "-", ".", ".."];
/** The longest deadline, days. */
export const DAYS_MAX = 3650;

/** What is wrong with a name, or null. @param {string} name */
export function faultOfName(name) {
  if (name === "") return "Give the agent a name.";
  if (!NAME.test(name)) return "Use 1 to 64 letters, digits, dots, dashes or underscores.";
  return RESERVED.includes(name) ? `${name} is kept for the service itself; choose another name.` : null;
}

/** What is wrong with a number of days, or null. @param {string} days */
export function faultOfDays(days) {
  const number = Number(days);
  return Number.isInteger(number) && number >= 1 && number <= DAYS_MAX && days.trim() !== "" ? null : `Give a whole number of days from 1 to ${DAYS_MAX}.`;
}

/**
 * The stored list of sectors as the page shows it (r062): a lone `*` stands for all, other unknown words for nothing.
 *
 * @param {string[]} stored
 */
export function readSectors(stored) {
  const isAll = stored.length === 1 && stored[0] === "*";
  const granted = isAll ? [...SECTORS] : SECTORS.filter((sector) => stored.includes(sector));
  const unknown = isAll ? [] : stored.filter((word) => !SECTORS.some((sector) => sector === word));
  return { isAll, granted, unknown };
}

/** The list to be stored when one sector is turned on or off; never `*`. @param {string[]} stored @param {string} sector @param {boolean} isOn */
export function withSector(stored, sector, isOn) {
  const { granted } = readSectors(stored);
  return SECTORS.filter((known) => (known === sector ? isOn : granted.includes(known)));
}
