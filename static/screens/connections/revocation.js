// What ends at a provider with a sign-in, before the act and after it.

import { html } from "../../core/html.js";
import { sayDone } from "../../core/messages.js";
import { Note } from "../../parts/states.js";

/** What will be tried. @param {string} name the provider's */
export function endsAt(name) {
  return `Where ${name} takes it, the consent ends there too; you are told whether it did.`;
}

/**
 * Says what was done, and what the provider made of it; what is left to do stays until it is closed.
 *
 * @param {string} text
 * @param {{ ended: boolean, message: string } | null} consent what became of it there; null where nobody has consented
 */
export function sayEnded(text, consent) {
  sayDone(consent ? `${text} ${consent.message}` : text, { stays: consent ? !consent.ended : false });
}

/** Where the person ends it. @param {{ how: string | null }} props a sentence */
export function EndsThere({ how }) {
  return how && html`<${Note}>To end it for good there: ${how.charAt(0).toLowerCase()}${how.slice(1)}<//>`;
}
