// Crop guides: the outlines of page sizes on the live picture.

/** The page sizes in millimeters, the width first when upright. */
export const PAGES = new Map([
  ["a3", { name: "A3", width: 297, height: 420 }],
  ["a4", { name: "A4", width: 210, height: 297 }],
  ["a5", { name: "A5", width: 148, height: 210 }],
  ["letter", { name: "Letter", width: 215.9, height: 279.4 }],
  ["legal", { name: "Legal", width: 215.9, height: 355.6 }],
]);

/** The share of the picture's shorter side that a guide without a scale leaves free. */
const MARGIN = 0.04;

/**
 * Returns the outline of a page in the middle of the upright picture.
 *
 * With a scale the outline has the page's true size. Without one it has the page's proportions and
 * is as large as fits.
 *
 * @param {{width: number, height: number}} frame the size of the full upright frame in pixels
 * @param {{width: number, height: number}} page the page's size in millimeters
 * @param {{isLying?: boolean, pixelsPerInch?: number}} [options]
 * @returns {{left: number, top: number, width: number, height: number, isTrueSize: boolean,
 *   fits: boolean}} shares of the picture's width and height
 */
export function guideOutline(frame, page, { isLying = false, pixelsPerInch } = {}) {
  const across = isLying ? page.height : page.width;
  const down = isLying ? page.width : page.height;
  let width;
  let height;
  if (pixelsPerInch) {
    width = across / 25.4 * pixelsPerInch / frame.width;
    height = down / 25.4 * pixelsPerInch / frame.height;
  } else {
    const margin = 2 * MARGIN * Math.min(frame.width, frame.height);
    const scale = Math.min((frame.width - margin) / across, (frame.height - margin) / down);
    width = across * scale / frame.width;
    height = down * scale / frame.height;
  }
  return {
    left: (1 - width) / 2, top: (1 - height) / 2, width, height,
    isTrueSize: Boolean(pixelsPerInch), fits: width <= 1 && height <= 1,
  };
}

/**
 * Returns the pixels to an inch that a page gets when it fills the picture.
 *
 * @param {{width: number, height: number}} frame the size of the full upright frame in pixels
 * @param {{width: number, height: number}} page the page's size in millimeters
 * @param {boolean} isLying whether the page lies across
 */
export function bestResolution(frame, page, isLying) {
  const across = isLying ? page.height : page.width;
  const down = isLying ? page.width : page.height;
  return Math.floor(Math.min(frame.width / across, frame.height / down) * 25.4);
}
