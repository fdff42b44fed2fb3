// Lines over time by uPlot: each line has a dash of its own besides its colour, and the plot says itself in words and as a table.

import { useEffect, useRef } from "../vendor/hooks.js";
import uPlot from "../vendor/uplot.js";
import { count, listed } from "../core/format.js";
import { html } from "../core/html.js";
import { dateTime, zone } from "../core/time.js";

const HEIGHT = 180;
/** Lines that are told apart; what is left is one line. */
const LINES_MAX = 4;
const COLOURS = ["--calendar", "--health", "--finance", "--contacts", "--muted-foreground"];
const DASHES = [[], [6, 4], [2, 3], [10, 4, 2, 4], [1, 5]];

/** @typedef {{ name: string, values: number[], total: number }} Line */

/**
 * The lines of a plot: the largest ones, and the others as one.
 *
 * @param {Record<string, number[]>} series
 * @returns {Line[]}
 */
export function linesOf(series) {
  const lines = Object.entries(series).map(([name, values]) => ({ name, values, total: values.reduce((sum, value) => sum + value, 0) }));
  lines.sort((one, other) => other.total - one.total || one.name.localeCompare(other.name));
  const others = lines.slice(LINES_MAX);
  if (others.length === 0) return lines;
  const values = (others[0]?.values ?? []).map((_, at) => others.reduce((sum, line) => sum + (line.values[at] ?? 0), 0));
  return [...lines.slice(0, LINES_MAX), { name: "others", values, total: others.reduce((sum, line) => sum + line.total, 0) }];
}

/** @param {{ t: string[], series: Record<string, number[]>, span: string }} props `span` completes "Calls in …" */
export function Plot({ t, series, span }) {
  const lines = linesOf(series);
  const told = lines.length === 0 ? `No calls in ${span}.` : `Calls in ${span}: ${listed(lines.map((line) => `${line.name} ${count(line.total)}`))}.`;
  return html`<figure class="plot">
    <div role="img" aria-label=${told}><${Canvas} t=${t} lines=${lines} /></div>
    <ul class="legend">${lines.map((line, at) => html`<li key=${line.name}><${Key} at=${at} /><bdi>${line.name}</bdi> <span class="muted number">${count(line.total)}</span></li>`)}</ul>
    <details><summary>Show as table</summary><${Numbers} t=${t} lines=${lines} /></details>
  </figure>`;
}

/** @param {{ at: number }} props */
function Key({ at }) {
  return html`<svg class="legend-key" viewBox="0 0 24 8" aria-hidden="true"><line x1="0" y1="4" x2="24" y2="4" stroke=${`var(${COLOURS[at]})`} stroke-width="2" stroke-dasharray=${(DASHES[at] ?? []).join(" ")} /></svg>`;
}

/** @param {{ t: string[], lines: Line[] }} props */
function Canvas({ t, lines }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const key = JSON.stringify([t[0], t.at(-1), t.length, lines.map(({ name, values }) => [name, values])]);
  useEffect(() => {
    const box = place.current;
    if (!box) return undefined;
    let plot = draw(box, t, lines);
    const again = () => {
      plot.destroy();
      plot = draw(box, t, lines);
    };
    const size = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
    size.observe(box);
    addEventListener("themechange", again);
    return () => {
      size.disconnect();
      removeEventListener("themechange", again);
      plot.destroy();
    };
  }, [key]);
  return html`<div class="plot-box" ref=${place}></div>`;
}

/** @param {HTMLElement} box @param {string[]} t @param {Line[]} lines */
function draw(box, t, lines) {
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--muted-foreground"), grid: { stroke: colour("--border"), width: 1 }, ticks: { show: false }, font: "12px Inter" };
  const options = {
    width: box.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    tzDate: (/** @type {number} */ seconds) => uPlot.tzDate(new Date(seconds * 1000), zone.value),
    scales: { y: { range: (/** @type {any} */ _plot, /** @type {number} */ _low, /** @type {number} */ high) => [0, Math.max(high, 4)] } },
    axes: [{ ...axis, values: labels }, { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000] }],
    series: [{}, ...lines.map((line, at) => ({ label: line.name, stroke: colour(COLOURS[at] ?? "--foreground"), width: 2, dash: DASHES[at], points: { show: false } }))],
  };
  return new uPlot(options, [t.map((instant) => Date.parse(instant) / 1000), ...lines.map((line) => line.values)], box);
}

/** Hours on the axis, and the day where one begins; days alone where the step is a day. @param {any} _plot @param {number[]} instants s */
function labels(_plot, instants) {
  const written = (/** @type {any} */ options) => new Intl.DateTimeFormat(undefined, { timeZone: zone.value, ...options });
  const [hour, day] = [written({ hour: "numeric", minute: "2-digit" }), written({ day: "numeric", month: "short" })];
  const isDaily = (instants[1] ?? 0) - (instants[0] ?? 0) >= 86_400;
  return instants.map((seconds, at) => {
    const isNewDay = at === 0 || day.format(seconds * 1000) !== day.format((instants[at - 1] ?? 0) * 1000);
    return isDaily ? day.format(seconds * 1000) : `${hour.format(seconds * 1000)}${isNewDay ? `\n${day.format(seconds * 1000)}` : ""}`;
  });
}

/** @param {{ t: string[], lines: Line[] }} props */
function Numbers({ t, lines }) {
  const rows = t.map((instant, at) => ({ instant, values: lines.map((line) => line.values[at] ?? 0) })).filter((row) => row.values.some(Boolean));
  return html`<div class="table-box" tabindex="0" role="region" aria-label="Calls as a table"><table>
    <thead><tr><th scope="col">From</th>${lines.map((line) => html`<th key=${line.name} scope="col" class="number"><bdi>${line.name}</bdi></th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.instant}><td class="nowrap">${dateTime(row.instant)}</td>${row.values.map((value, at) => html`<td key=${at} class="number">${count(value)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}
