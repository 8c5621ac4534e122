// The temperatures and the throttling since the page was opened; the rig keeps no history of them.

const DAY = 86_400_000;
const SPACING = 60_000;

/** Returns whether the firmware slows the processor down, or the rig holds itself back. */
export function isHeldBack(thermal) {
  const flags = thermal.firmware?.now ?? [];
  return flags.length > 0 || thermal.state === "serious" || thermal.state === "critical";
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
    const sample = { time: now, zones, isHeldBack: isHeldBack(thermal), state: thermal.state };
    const last = this.samples[this.samples.length - 1];
    const isChange = !last || last.isHeldBack !== sample.isHeldBack || last.state !== sample.state;
    if (!isChange && now - last.time < SPACING) return;
    this.samples.push(sample);
    while (this.samples[0].time < now - DAY) this.samples.shift();
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

  /** Returns the times in which the rig was held back, up to a time. */
  heldBack(now) {
    const spans = [];
    this.samples.forEach(({ time, isHeldBack: held }, index) => {
      const end = this.samples[index + 1]?.time ?? now;
      const last = spans[spans.length - 1];
      if (!held) return;
      if (last?.end === time) last.end = end;
      else spans.push({ start: time, end });
    });
    return spans;
  }
}
