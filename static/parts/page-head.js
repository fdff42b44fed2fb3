import { useEffect } from "../vendor/hooks.js";
import { html } from "../core/html.js";

/**
 * The head of a screen: its title, which is the window's too, what it is for, and its acts.
 *
 * @param {{ title: any, name?: string, about?: any, children?: any }} props `name` is the window's title where `title` is markup
 */
export function PageHead({ title, name, about, children }) {
  const windowTitle = name ?? title;
  useEffect(() => {
    document.title = `${windowTitle} · Sextant`;
  }, [windowTitle]);
  return html`<header class="page-head">
    <div><h1 tabindex="-1">${title}</h1>${about && html`<p>${about}</p>`}</div>
    ${children && html`<div class="acts">${children}</div>`}
  </header>`;
}
