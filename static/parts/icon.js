import { html } from "../core/html.js";

/**
 * An icon of the sprite, for the eye alone: what it stands beside says the same in words.
 *
 * @param {{ name: string, class?: string }} props `name` as in tools/console-vendor/icons
 */
export function Icon({ name, class: className = "" }) {
  return html`<svg class="icon ${className}" aria-hidden="true" focusable="false"><use href=${`/static/vendor/icons.svg#${name}`} /></svg>`;
}
