import { classes, html } from "../core/html.js";
import { SECTOR_ICONS } from "../core/sectors.js";
import { Icon } from "./icon.js";

/** A sector's name beside its icon. @param {{ name: string, iconOnly?: boolean }} props */
export function SectorName({ name }) {
  const icon = SECTOR_ICONS[name];
  return html`<span class="sector">${icon && html`<${Icon} name=${icon} class=${`sector-${name}`} />`}<span>${name}</span></span>`;
}

/** The mark of sample data. @param {{ class?: string }} props */
export function SampleMark({ class: className = "" }) {
  return html`<span class=${classes("badge sample", className)} data-variant="outline">sample</span>`;
}
