// Codes, figures and lists in words.

/** Returns a code in words, for example `thermal pressure` for `thermalPressure`. */
export function words(code) {
  return code.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

/** Returns codes in words, with commas. */
export function listedCodes(codes) {
  return codes.map(words).join(", ");
}

/** Returns a text with a capital at its beginning. */
export function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a sentence: with a capital at the beginning and a full stop at the end. */
export function sentence(text) {
  return /[.!?]$/.test(text) ? capitalized(text) : `${capitalized(text)}.`;
}

/** Returns a number of bytes, for example `3.4 MB`. */
export function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Returns a count with its noun, for example `1 picture` or `2 pictures`. */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns an exposure time, for example `8.3 ms`. */
export function exposure(microseconds) {
  if (microseconds >= 1e6) return `${(microseconds / 1e6).toFixed(2)} s`;
  if (microseconds >= 1e5) return `${Math.round(microseconds / 1000)} ms`;
  return `${(microseconds / 1000).toFixed(1)} ms`;
}

/** Returns a share as a percentage, for example `2.5 %`. */
export function percent(share) {
  const value = share * 100;
  return `${value === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} %`;
}

/** Returns the distance that a lens position is focused at, for example `50 cm`. */
export function distance(diopters) {
  if (diopters < 0.05) return "far away";
  const meters = 1 / diopters;
  return meters >= 1 ? `${meters.toFixed(1)} m` : `${Math.round(meters * 100)} cm`;
}
