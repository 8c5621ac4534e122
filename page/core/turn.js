// The geometry of the live picture: turned upright, and mirrored where the camera faces the person.

/** Returns an angle as 0, 90, 180 or 270. */
export function quarter(angle) {
  return ((Math.round((Number(angle) || 0) / 90) * 90) % 360 + 360) % 360;
}

/** Returns the size of a frame that is turned clockwise by an angle. */
export function turnedSize({ width, height }, angle) {
  return quarter(angle) % 180 === 0 ? { width, height } : { width: height, height: width };
}

/**
 * Returns the matrix that draws a frame turned and mirrored, as `setTransform` takes it.
 *
 * @param {{width: number, height: number}} size the frame's size
 * @param {number} angle the clockwise turn that makes the frame upright
 * @param {boolean} isMirrored whether left and right are exchanged afterwards
 * @returns {[number, number, number, number, number, number]}
 */
export function drawingMatrix(size, angle, isMirrored) {
  const { width, height } = size;
  const matrix = {
    0: [1, 0, 0, 1, 0, 0],
    90: [0, 1, -1, 0, height, 0],
    180: [-1, 0, 0, -1, width, height],
    270: [0, -1, 1, 0, 0, width],
  }[quarter(angle)];
  if (!isMirrored) return matrix;
  const [a, b, c, d, e, f] = matrix;
  return [-a, b, -c, d, turnedSize(size, angle).width - e, f];
}

/**
 * Returns the place of the upright frame that a point of the drawn picture shows.
 *
 * @param {{x: number, y: number}} point the point as a share of the drawn picture, 0 to 1
 * @param {boolean} isMirrored whether the drawn picture is mirrored
 * @returns {{x: number, y: number}} the place in thousandths of the upright frame
 */
export function uprightPlace(point, isMirrored) {
  const clamp = (value) => Math.min(1000, Math.max(0, Math.round(value * 1000)));
  return { x: clamp(isMirrored ? 1 - point.x : point.x), y: clamp(point.y) };
}

/**
 * Returns the place of the camera's own frame, as parts of its sides, that a place of the upright frame is.
 *
 * @param {{x: number, y: number}} place the place in thousandths of the upright frame
 * @param {number} angle the clockwise turn that makes the frame upright
 */
export function framePlace(place, angle) {
  const [x, y] = [place.x / 1000, place.y / 1000];
  return {
    0: { x, y }, 90: { x: y, y: 1 - x }, 180: { x: 1 - x, y: 1 - y }, 270: { x: 1 - y, y: x },
  }[quarter(angle)];
}

/**
 * The widths that are asked for, few of them, so that viewers share what is encoded.
 *
 * Larger ones than the last are not among the camera's own previews.
 */
const WIDTHS = [320, 640, 1024];

/** Returns the width to ask for, to fill so many pixels of the screen. */
export function streamWidth(pixels) {
  return WIDTHS.find((width) => width >= pixels) ?? WIDTHS[WIDTHS.length - 1];
}
