// The temperatures and the throttling of the last day: the rig's history, and what came since.

const DAY = 86_400_000;
const SPACING = 60_000;

/** Returns whether the firmware slows the processor down, or the rig holds itself back. */
function isHeldBack(state, flags) {
  return flags.length > 0 || state === "serious" || state === "critical";
}

/** The readings of a day, one a minute, and each change of the state. */
export class TemperatureLog {
  /** @type {{time: number, zones: Map<string, number>, isHeldBack: boolean, state: string}[]} */
  samples = [];

  /**
   * Takes a report.
   *
   * @param {object} thermal the report
   * @param {number} now the time in milliseconds
   */
  take(thermal, now) {
    const zones = new Map();
    for (const { zone, celsius } of thermal.temperatures) {
      if (celsius !== undefined) zones.set(zone, celsius);
    }
    const { state, firmware } = thermal;
    const sample = { time: now, zones, isHeldBack: isHeldBack(state, firmware?.now ?? []), state };
    const last = this.samples[this.samples.length - 1];
    const isChange = !last || last.isHeldBack !== sample.isHeldBack || last.state !== sample.state;
    if (!isChange && now - last.time < SPACING) return;
    this.samples.push(sample);
    while (this.samples[0].time < now - DAY) this.samples.shift();
  }

  /**
   * Takes the rig's history in the place of the own readings of the same time.
   *
   * @param {{periodSeconds: number, samples: object[]}} history the answer of the API
   * @param {import("./time.js").RigClock} clock
   */
  takeHistory({ periodSeconds, samples }, clock) {
    const past = samples.map(({ timeNanoseconds, celsius, state, firmware }) => ({
      time: clock.time(timeNanoseconds), zones: new Map(Object.entries(celsius)),
      isHeldBack: isHeldBack(state, firmware), state,
    }));
    if (past.length === 0) return;
    const end = past[past.length - 1].time + periodSeconds * 1000;
    this.samples = [
      ...this.samples.filter(({ time }) => time < past[0].time), ...past,
      ...this.samples.filter(({ time }) => time >= end),
    ];
  }

  /** The time of the first reading; undefined before it. */
  get start() {
    return this.samples[0]?.time;
  }

  /** Returns the readings of each zone as points of time and temperature. */
  lines() {
    const lines = new Map();
    for (const { time, zones } of this.samples) {
      for (const [zone, celsius] of zones) {
        if (!lines.has(zone)) lines.set(zone, []);
        lines.get(zone).push({ x: time, y: celsius });
      }
    }
    return lines;
  }

  /** Returns the times in which the rig was held back, up to a time; a gap counts as none. */
  heldBack(now) {
    const spans = [];
    this.samples.forEach(({ time, isHeldBack: held }, index) => {
      const end = Math.min(this.samples[index + 1]?.time ?? now, time + 2 * SPACING);
      const last = spans[spans.length - 1];
      if (!held) return;
      if (last?.end === time) last.end = end;
      else spans.push({ start: time, end });
    });
    return spans;
  }
}
