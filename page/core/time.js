// Times and durations in words, and the way from the rig's monotonic clock to the time of day.

const pad = (number) => String(Math.floor(number)).padStart(2, "0");

/** Returns the time of day, for example `14:03:05`. */
export function clockTime(milliseconds) {
  const date = new Date(milliseconds);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/** Returns the hour and the minute, for example `14:03`. */
export function hourAndMinute(milliseconds) {
  return clockTime(milliseconds).slice(0, 5);
}

/** Returns a duration in words of two units at most, for example `2 h 5 min`. */
export function spoken(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  const days = Math.floor(hours / 24);
  return hours % 24 ? `${days} d ${hours % 24} h` : `${days} d`;
}

/** Returns a time as a stopwatch shows it, for example `1:05` or `2:01:05`. */
export function stopwatch(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}

/**
 * Returns the rest of a countdown, for example `in 1:05`.
 *
 * @param {number} seconds the time to wait when it was read
 * @param {number} readAt the time of the reading in milliseconds
 * @param {number} now the time in milliseconds
 */
export function countdown(seconds, readAt, now) {
  const rest = Math.ceil(seconds - (now - readAt) / 1000);
  return rest <= 0 ? "now" : `in ${stopwatch(rest)}`;
}

/** The way from times of the rig's `CLOCK_MONOTONIC` to the browser's time of day. */
export class RigClock {
  /**
   * @param {number} nanoseconds the rig's monotonic time of a reading
   * @param {number} milliseconds the browser's time of the same reading
   */
  constructor(nanoseconds, milliseconds) {
    this.start = milliseconds - nanoseconds / 1e6;
  }

  /** Returns the browser's time of a time of the rig, in milliseconds. */
  time(nanoseconds) {
    return this.start + nanoseconds / 1e6;
  }
}
