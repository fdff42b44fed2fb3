import { useEffect, useRef, useState } from "../../vendor/hooks.js";

import { entered, focusFault, missing } from "./provider-fields.js";

/** @typedef {import("./provider-fields.js").Fault} Fault */

/**
 * The state of a form in which a credential is entered. What was typed is nowhere but in it.
 *
 * @param {import("./provider-fields.js").ProviderField[]} fields
 * @param {(credentials: Record<string, string>) => Promise<void>} send
 */
export function useCredential(fields, send) {
  const form = useRef(/** @type {HTMLElement | null} */ (null));
  const [values, setValues] = useState(/** @type {Record<string, string>} */ ({}));
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const [isTrying, setTrying] = useState(false);
  // After the field is said to be at fault, so that a screen reader reads both.
  useEffect(() => focusFault(form.current, fault), [fault]);
  const set = (/** @type {string} */ name, /** @type {string} */ value) => {
    setValues((before) => ({ ...before, [name]: value }));
    if (fault?.field === name) setFault(null);
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isTrying) return;
    const unfilled = missing(fields, values);
    if (unfilled) return setFault(unfilled);
    setFault(null);
    setTrying(true);
    try {
      await send(entered(fields, values));
    } catch (error) {
      const { field, message } = /** @type {any} */ (error);
      setFault({ field, message });
    } finally {
      setTrying(false);
    }
  };
  /** A fault of the whole, or of a field that is not shown. */
  const banner = fault && !fields.some(({ name }) => name === fault.field) ? fault.message : null;
  return { form, values, fault, banner, isTrying, set, submit };
}
