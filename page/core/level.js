// The level: the tilt of the rig from its accelerometer.

const DEGREES = 180 / Math.PI;

/** The tilt in degrees up to which the rig counts as level. */
export const LEVEL_WITHIN = 0.5;

/**
 * Returns the tilt of the rig.
 *
 * @param {number[]} acceleration x to the right, y to the top edge of an upright picture, z from
 *   the scene to the operator, in m/s²; a rig at rest measures +9.81 along what points up
 * @returns {{isFlat: boolean, across: number, along: number, isLevel: boolean} | undefined} degrees;
 *   `across` is positive when the right side is higher, or for an upright rig when it is turned
 *   counterclockwise; `along` is positive when the top edge is higher, or for an upright rig when it
 *   looks down; undefined for readings without a direction
 */
export function levelOf(acceleration) {
  const [x, y, z] = acceleration ?? [];
  const length = Math.hypot(x, y, z);
  if (!(length > 1)) return undefined;
  const isFlat = Math.abs(z) > length * Math.SQRT1_2;
  let across;
  let along;
  if (isFlat) {
    across = Math.atan2(x, Math.abs(z)) * DEGREES;
    along = Math.atan2(y, Math.abs(z)) * DEGREES;
  } else {
    const turn = Math.atan2(-x, y) * DEGREES;
    across = Math.round(turn / 90) * 90 - turn;
    along = Math.atan2(z, Math.hypot(x, y)) * DEGREES;
  }
  const isLevel = Math.abs(across) <= LEVEL_WITHIN && Math.abs(along) <= LEVEL_WITHIN;
  return { isFlat, across, along, isLevel };
}

/** Returns the sentence about a tilt. */
export function levelSentence(level) {
  if (!level) return "The tilt is not known.";
  if (level.isLevel) return "Level.";
  const degrees = (value) => `${Math.abs(value).toFixed(1)}°`;
  const parts = [];
  if (Math.abs(level.across) > LEVEL_WITHIN) {
    const isPositive = level.across > 0;
    parts.push(level.isFlat
      ? `the ${isPositive ? "right" : "left"} side is ${degrees(level.across)} higher`
      : `turned ${degrees(level.across)} ${isPositive ? "counterclockwise" : "clockwise"}`);
  }
  if (Math.abs(level.along) > LEVEL_WITHIN) {
    const isPositive = level.along > 0;
    parts.push(level.isFlat
      ? `the ${isPositive ? "top" : "bottom"} edge is ${degrees(level.along)} higher`
      : `looks ${degrees(level.along)} ${isPositive ? "down" : "up"}`);
  }
  const text = parts.join(", and ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/**
 * Returns the place of the bubble, which moves to the higher side.
 *
 * @param {{across: number, along: number}} level
 * @param {number} range the tilt in degrees at which the bubble touches the rim
 * @returns {{x: number, y: number}} -1 to 1, to the right and down
 */
export function bubble(level, range = 5) {
  const length = Math.hypot(level.across, level.along);
  const scale = length > range ? 1 / length : 1 / range;
  return { x: level.across * scale, y: -level.along * scale };
}
