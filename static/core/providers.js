// The sources that can be connected, read once and shared by all who show their names or forms.

import { signal } from "../vendor/signals-core.js";
import { call } from "./call.js";

/** By id; empty until they have been read. */
export const providers = signal(/** @type {Record<string, any>} */ ({}));

/** Reads them again. @param {AbortSignal} [signal] */
export async function readProviders(signal) {
  const answer = await call("GET /api/providers", { signal });
  providers.value = Object.fromEntries(answer.providers.map((provider) => [provider.id, provider]));
  return answer.providers;
}

/** One of them, read if it is not known yet. @param {string} id */
export async function findProvider(id) {
  if (!(id in providers.value)) await readProviders();
  return providers.value[id];
}

/** What people call a source. @param {string} id */
export function providerName(id) {
  return providers.value[id]?.name ?? id;
}
