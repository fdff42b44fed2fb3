// What a screen reads from the service: loaded when it is first shown and when its keys change, and again when something changed. What
// was read last stays while it is read again.

import { useCallback, useEffect, useRef, useState } from "../vendor/hooks.js";
import { listen } from "./live.js";
import { look } from "./time.js";

/** The least time between two readings that events bring about, ms. */
const RELOAD_MIN_MS = 1_000;

let pending = 0;

/** Marks on the page whether all that it shows has been read; tests wait for it. @param {number} change */
function count(change) {
  pending += change;
  document.body.toggleAttribute("data-ready", pending === 0);
}

/**
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} load
 * @param {unknown[]} keys what the reading depends on
 * @param {{ on?: string[] }} [options] events after which it is read again
 * @returns {{ value: T | null, error: Error | null, isLoading: boolean, reload: () => void, set: (value: T) => void }}
 */
export function useResource(load, keys, { on = [] } = {}) {
  const [state, setState] = useState(/** @type {{ value: any, error: Error | null, isLoading: boolean }} */ ({ value: null, error: null, isLoading: true }));
  const latest = useRef(load);
  latest.current = load;
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((round) => round + 1), []);
  const set = useCallback((/** @type {T} */ value) => setState({ value, error: null, isLoading: false }), []);

  useEffect(() => {
    setState({ value: null, error: null, isLoading: true });
  }, keys);

  useEffect(() => {
    const aborted = new AbortController();
    let isOver = false;
    const over = () => {
      if (!isOver) count(-1);
      isOver = true;
    };
    count(+1);
    latest
      .current(aborted.signal)
      .then((value) => {
        if (aborted.signal.aborted) return;
        look();
        setState({ value, error: null, isLoading: false });
      })
      .catch((error) => !aborted.signal.aborted && setState((state) => ({ value: state.value, error, isLoading: false })))
      .finally(() => requestAnimationFrame(over));
    return () => {
      aborted.abort();
      over();
    };
  }, [...keys, round]);

  useEffect(() => {
    let timer = 0;
    let last = 0;
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        last = performance.now();
        reload();
      }, Math.max(0, last + RELOAD_MIN_MS - performance.now()));
    };
    const end = listen(on, again);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [on.join()]);

  return { ...state, reload, set };
}
