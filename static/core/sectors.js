// The six sectors, in the order and under the names of the specification of the service; there are no others.

/** @typedef {"finance" | "mail" | "calendar" | "contacts" | "health" | "home"} Sector */

/** @type {readonly Sector[]} */
export const SECTORS = ["finance", "mail", "calendar", "contacts", "health", "home"];

/** Each sector's icon. @type {Record<string, string>} */
export const SECTOR_ICONS = {
  finance: "landmark",
  mail: "mail",
  calendar: "calendar-days",
  contacts: "users",
  health: "heart-pulse",
  home: "house",
};
