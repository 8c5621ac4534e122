// The page that the rig sees, in the shares of the live picture.

import { drawingMatrix } from "./turn.js";

/** The length of the arrow that points to the top of the text, as a share of the picture. */
const ARROW = 0.12;

/** The direction to the top of the text in the sensor's picture, by the turn that makes it upright. */
const UP = { 0: [0, -1], 90: [-1, 0], 180: [0, 1], 270: [1, 0] };

/**
 * Returns the lines that show a page over the live picture, in hundredths of its sides.
 *
 * @param {object} report the answer of `GET v1/preview/page`
 * @returns {{outline?: number[][], regions: number[][][], arrow?: number[][]}} corners; the arrow from
 *   its foot to its tip
 */
export function pageLines({ outline, regions, textAngle, angle, isMirrored }) {
  const [a, b, c, d, e, f] = drawingMatrix({ width: 1, height: 1 }, angle, isMirrored);
  const drawn = ([x, y]) => [(a * x + c * y + e) * 100, (b * x + d * y + f) * 100];
  const boxes = regions.map(({ x, y, width, height }) =>
    [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]);
  const corners = outline?.map(({ x, y }) => [x, y]) ?? boxes[0];
  const up = UP[textAngle];
  const lines = { outline: outline && corners.map(drawn), regions: boxes.map((box) => box.map(drawn)) };
  if (!up || !corners?.length) return lines;
  const middle = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
  return { ...lines, arrow: [middle, [middle[0] + up[0] * ARROW, middle[1] + up[1] * ARROW]].map(drawn) };
}

/**
 * Returns what the aim view says about a page: the next thing to do, and the problems.
 *
 * @param {object} report the answer of `GET v1/preview/page`
 */
export function pageSentence({ advice, warnings }) {
  const problems = warnings.map(({ meaning }) => meaning).join(", ");
  return problems ? `${advice} Now ${problems}.` : advice;
}
