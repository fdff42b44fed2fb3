// JSON in which no number loses a digit: 123456789012345.6789 and 12.50 stay as they were sent.

/** A number that JavaScript would write in other digits than it was sent in. */
export class ExactNumber {
  /** @param {string} digits as they were sent */
  constructor(digits) {
    this.digits = digits;
  }

  toString() {
    return this.digits;
  }

  /** Sent back in the same digits. */
  toJSON() {
    return JSON.rawJSON(this.digits);
  }
}

/** Reads JSON. @param {string} text */
export function parseJson(text) {
  return JSON.parse(text, (_key, value, context) => {
    if (typeof value !== "number" || String(value) === context.source) return value;
    return new ExactNumber(context.source);
  });
}
