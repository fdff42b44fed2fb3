// Markup in scripts: htm over Preact. Text is always text here; there is no way to insert markup.

import { h } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export const html = htm.bind(h);

/** Joins the class names that hold. @param {...(string | false | null | undefined)} names */
export function classes(...names) {
  return names.filter(Boolean).join(" ");
}
