// Numbers and counts of the page's own, in the browser's language. Numbers of the data are shown in the digits they were sent in.

const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** @param {number | null | undefined} number */
export function count(number) {
  return number === null || number === undefined ? "–" : whole.format(number);
}

/** "1 row", "2 rows". @param {number} number @param {string} one @param {string} [many] */
export function counted(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Bytes in decimal units. @param {number} bytes */
export function size(bytes) {
  let rest = bytes;
  let unit = 0;
  while (rest >= 1000 && unit < UNITS.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  return `${short.format(rest)} ${UNITS[unit]}`;
}

/** "a, b and c". @param {string[]} words */
export function listed(words) {
  return new Intl.ListFormat("en").format(words);
}
