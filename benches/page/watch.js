// Looks at a page from within: when what a selector names is painted, by the page's own clock. Runs before the page's own scripts.

(() => {
  /** How long anything is waited for, ms. */
  const PATIENCE_MS = 25_000;
  const KEY = "awaited";

  /** The time from `begun` until what the selector names is there and painted, ms. */
  function seen(sign, begun) {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${location.pathname} never showed ${sign}`)), PATIENCE_MS);
      // The frame after the change is painted when the task after it runs.
      const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
      const look = () => {
        if (!document.querySelector(sign)) return;
        changes.disconnect();
        clearTimeout(late);
        painted();
      };
      const changes = new MutationObserver(look);
      changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      look();
    });
  }

  /** What a person does to an element. */
  const ACTS = {
    click: (element) => element.click(),
    choose: (select, value) => {
      select.value = value;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    },
    type: (input, text) => {
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
    control: (element, key) => element.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey: true, bubbles: true })),
  };

  const awaited = location.protocol === "http:" ? sessionStorage.getItem(KEY) : null;
  const opened = awaited && seen(awaited, 0);

  window.watch = {
    /** Says what the next page waits for. */
    await: (sign) => sessionStorage.setItem(KEY, sign),
    /** The time from the beginning of the navigation until that was painted. */
    opened: () => opened,
    /** The time from an act on an element, as soon as that is there, until what it brings is painted. */
    press: async (act, on, value, then) => {
      await seen(on, 0);
      if (document.querySelector(then)) throw new Error(`${then} is there before ${act} on ${on}`);
      const begun = performance.now();
      ACTS[act](document.querySelector(on), value);
      return seen(then, begun);
    },
  };
})();
