import { useEffect, useRef, useState } from "../../vendor/hooks.js";

import { entered, focusFault, missing } from "./provider-fields.js";

/** @typedef {import("./provider-fields.js").Fault} Fault */

/**
 * The state of a form in which a credential is entered. What was typed is nowhere but in it.
 *
 * @param {import("./provider-fields.js").ProviderField[]} fields
 * @param {(credentials: Record<string, string>) => Promise<void>} send
 * @param {{ kept?: Record<string, string>, others?: string[] }} [options] `kept` stands in the fields at the beginning; `others` are
 *   fields of the form that are none of the credential
 */
export function useCredential(fields, send, { kept = {}, others = [] } = {}) {
  const form = useRef(/** @type {HTMLElement | null} */ (null));
  const [values, setValues] = useState(/** @type {Record<string, string>} */ (kept));
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
  const isShown = fields.some(({ name }) => name === fault?.field) || others.includes(fault?.field ?? "");
  const banner = fault && !isShown ? fault.message : null;
  return { form, values, fault, banner, isTrying, set, submit };
}
