// Ctrl-K: screens, agents, connections, tables, and full text over all six sectors, in one list.

import { signal } from "../vendor/signals-core.js";
import { useEffect, useRef, useState } from "../vendor/hooks.js";
import { go } from "../core/address.js";
import { html } from "../core/html.js";
import { Dialog } from "./dialog.js";
import { Icon } from "./icon.js";
import { useFound, usePlaces } from "./palette/found.js";

const isOpen = signal(false);

/** Opens the search. */
export function openPalette() {
  isOpen.value = true;
}

/** The search, while it is open. */
export function Palette() {
  useEffect(() => {
    const key = (/** @type {KeyboardEvent} */ event) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      // A dialog that is open keeps the keyboard; one that shows a secret must not be left unseen.
      if (document.querySelector("dialog[open]") && !isOpen.value) return;
      event.preventDefault();
      isOpen.value = !isOpen.value;
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  return isOpen.value ? html`<${Search} close=${() => (isOpen.value = false)} />` : null;
}

/** @param {{ close: () => void }} props */
function Search({ close }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const places = usePlaces(text);
  const { records, isSearching, faults } = useFound(text);
  const all = [...places, ...records];
  const chosen = Math.min(at, all.length - 1);
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [chosen]);
  const follow = (/** @type {{ href: string } | undefined} */ item) => {
    if (!item) return;
    close();
    go(item.href);
  };
  const moves = /** @type {Record<string, number>} */ ({ ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: all.length - 1 });
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      follow(all[chosen]);
    } else if (event.key in moves && all.length > 0) {
      event.preventDefault();
      setAt(((moves[event.key] ?? 0) + all.length) % all.length);
    }
  };
  const type = (/** @type {any} */ event) => {
    setText(event.currentTarget.value);
    setAt(0);
  };
  const count = isSearching ? "Searching…" : `${all.length} ${all.length === 1 ? "result" : "results"}`;
  return html`<${Dialog} title="Search" close=${close} wide>
    <div class="palette" onKeyDown=${key}>
      <input class="input" type="search" role="combobox" aria-label="Search screens, agents, connections, tables and all data" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list"
        aria-activedescendant=${all.length > 0 ? `palette-${chosen}` : undefined} autofocus autocomplete="off" spellcheck=${false} value=${text} onInput=${type} />
      <p class="muted palette-told" role="status">${count}${faults.length > 0 && `. Could not ask: ${faults.join(", ")}.`}</p>
      <ul id="palette-list" role="listbox" aria-label="Results" ref=${list}>
        ${all.map((item, place) => html`<li key=${`${item.group} ${item.href}`} id=${`palette-${place}`} role="option" aria-selected=${place === chosen} onClick=${() => follow(item)} onMouseMove=${() => setAt(place)}>
          <${Icon} name=${item.icon} class=${item.group in { finance: 1, mail: 1, calendar: 1, contacts: 1, health: 1, home: 1 } ? `sector-${item.group}` : ""} /><bdi class="palette-name">${item.name}</bdi><span class="muted">${item.group}</span>
        </li>`)}
      </ul>
    </div>
  <//>`;
}
