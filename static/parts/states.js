// What a place shows when it has nothing to show: why, and what to do.

import { html } from "../core/html.js";
import { Button } from "./button.js";
import { Icon } from "./icon.js";

/**
 * Nothing is there: what will appear here, why it is empty, and the one act that fills it.
 *
 * @param {{ icon?: string, title: string, children?: any, act?: any }} props
 */
export function Empty({ icon = "info", title, children, act }) {
  return html`<section class="empty">
    <header><figure data-variant="icon"><${Icon} name=${icon} /></figure><h2>${title}</h2>${children && html`<p>${children}</p>`}</header>
    ${act && html`<section>${act}</section>`}
  </section>`;
}

/** It could not be read; `act` is another way on than to try again. @param {{ error: Error, retry?: () => void, what?: string, act?: any }} props */
export function Failure({ error, retry, what = "this", act }) {
  return html`<div class="alert" data-variant="destructive" role="alert">
    <${Icon} name="triangle-alert" />
    <h2>Could not load ${what}</h2>
    <section><p>${error.message}</p>${retry && html`<${Button} act=${retry} icon="refresh-cw" size="sm">Try again<//>`}${act}</section>
  </div>`;
}

/** It is being read: grey lines, which appear only when it takes a while. @param {{ lines?: number }} props */
export function Loading({ lines = 3 }) {
  return html`<div class="loading" role="status"><span class="sr-only">Loading</span>${Array.from({ length: lines }, (_, line) => html`<div class="skeleton" key=${line}></div>`)}</div>`;
}

/** A sentence beside a sign. @param {{ icon?: string, kind?: "plain" | "warn" | "bad" | "good", children: any }} props */
export function Note({ icon = "info", kind = "plain", children }) {
  return html`<p class="note note-${kind}"><${Icon} name=${icon} /><span>${children}</span></p>`;
}

/**
 * What a resource has to show: its content, or that it is being read, or that it could not be.
 *
 * @template T
 * @param {{ of: { value: T | null, error: Error | null, reload: () => void }, what?: string, lines?: number, children: (value: T) => any }} props
 */
export function Loaded({ of, what, lines, children }) {
  const failure = of.error && html`<${Failure} error=${of.error} retry=${of.reload} what=${what} />`;
  if (of.value === null) return failure ?? html`<${Loading} lines=${lines} />`;
  return html`${failure}${children(of.value)}`;
}
