// What the frame knows of the service, and screens share: `GET /api/status`.

import { signal } from "../vendor/signals-core.js";
import { zone } from "./time.js";

/** The last answer of `GET /api/status`. */
export const status = signal(/** @type {import("../api").Routes["GET /api/status"]["answer"] | null} */ (null));

/** Takes a new answer in. @param {NonNullable<typeof status.value>} answer */
export function setStatus(answer) {
  status.value = answer;
  if (answer.timezone) zone.value = answer.timezone.name;
}
