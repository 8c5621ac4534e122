// The geometry of drawings over time.

/** Returns the function that maps a range of values to a range of a drawing. */
export function scale([from, to], [start, end]) {
  const span = to - from || 1;
  return (value) => start + (value - from) / span * (end - start);
}

/** Returns points as the path of an SVG. */
export function linePath(points, x, y) {
  return points
    .map((point, index) => `${index ? "L" : "M"}${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`)
    .join("");
}

/** Returns a range of tens that has all values, at least twenty wide. */
export function rangeOfTens(values) {
  const lowest = Math.floor(Math.min(...values) / 10) * 10;
  const highest = Math.ceil(Math.max(...values) / 10) * 10;
  return [lowest, Math.max(highest, lowest + 20)];
}

/** Returns the whole multiples of a step within a range. */
export function ticks([from, to], step) {
  const found = [];
  for (let value = Math.ceil(from / step) * step; value <= to; value += step) found.push(value);
  return found;
}

/** Returns times of day for the axis of a range of times, six or so. */
export function timeTicks([from, to]) {
  const minute = 60_000;
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360].map((minutes) => minutes * minute);
  const step = steps.find((candidate) => (to - from) / candidate <= 7) ?? steps[steps.length - 1];
  const zone = new Date(from).getTimezoneOffset() * minute;
  return ticks([from - zone, to - zone], step).map((value) => value + zone);
}

/**
 * Returns interruptions as bars of a time line, a row for each reason.
 *
 * @param {{lasting: object[], ended: object[]}} interruptions the answer of the API
 * @param {import("./time.js").RigClock} clock
 * @param {[number, number]} window the times of the drawing
 * @returns {{reason: string, refuses: boolean, bars: {start: number, end: number, isLasting: boolean,
 *   cause?: string}[]}[]} the rows, the one with the newest interruption first
 */
export function timeLine({ lasting, ended }, clock, [from, to]) {
  const rows = new Map();
  for (const interruption of [...lasting, ...ended]) {
    const start = clock.time(interruption.beganNanoseconds);
    const isLasting = interruption.endedNanoseconds === undefined;
    const end = isLasting ? to : clock.time(interruption.endedNanoseconds);
    if (end < from || start > to) continue;
    const { reason, refuses, cause } = interruption;
    if (!rows.has(reason)) rows.set(reason, { reason, refuses, bars: [] });
    const bar = { start: Math.max(from, start), end: Math.min(to, end), isLasting, cause };
    rows.get(reason).bars.push(bar);
  }
  const newest = (row) => Math.max(...row.bars.map((bar) => bar.start));
  return [...rows.values()].sort((one, other) => newest(other) - newest(one));
}
