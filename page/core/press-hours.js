// Presses an hour over the last day.

const HOUR = 3_600_000;
const HOURS = 24;

/** Returns the time from which presses count, in the form that the API takes. */
export function sinceTime(now) {
  return new Date(startOf(now)).toISOString();
}

function startOf(now) {
  return Math.floor(now / HOUR) * HOUR - (HOURS - 1) * HOUR;
}

/**
 * Counts presses by the hour.
 *
 * @param {Iterable<{number: number, time?: string, outcome: string}>} presses
 * @param {number} now the time in milliseconds
 * @returns {{start: number, stored: number, refused: number}[]} the hours, the oldest first
 */
export function pressesByHour(presses, now) {
  const start = startOf(now);
  const hours = Array.from({ length: HOURS }, (_, index) => (
    { start: start + index * HOUR, stored: 0, refused: 0 }));
  for (const press of presses) {
    const index = Math.floor((Date.parse(press.time ?? "") - start) / HOUR);
    const hour = hours[index];
    if (!hour) continue;
    if (press.outcome === "stored") hour.stored += 1;
    if (press.outcome === "refused") hour.refused += 1;
  }
  return hours;
}

/** Forgets the presses that are older than the hours that count. */
export function forgetOld(presses, now) {
  const start = startOf(now);
  for (const [number, press] of presses) {
    if (Date.parse(press.time ?? "") < start) presses.delete(number);
  }
}
