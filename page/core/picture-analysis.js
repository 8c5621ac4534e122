// Brightness, clipping and edges of the live picture.

/** The brightness from which a sample counts as white, and up to which it counts as black. */
const WHITE = 254;
const BLACK = 1;

/**
 * Computes the brightness of each pixel (Rec. 601).
 *
 * @param {Uint8ClampedArray | Uint8Array} rgba the pixels
 * @param {Uint8Array} luma an array for the result, one byte for each pixel
 */
export function computeLuma(rgba, luma) {
  for (let index = 0, at = 0; index < luma.length; index += 1, at += 4) {
    luma[index] = (77 * rgba[at] + 150 * rgba[at + 1] + 29 * rgba[at + 2] + 128) >> 8;
  }
}

/**
 * Counts the pixels of each brightness.
 *
 * @param {Uint8Array} luma one byte for each pixel
 * @returns {{bins: Uint32Array, highlights: number, shadows: number}} 256 counts, and the shares
 *   that are white and black
 */
export function histogram(luma) {
  const bins = new Uint32Array(256);
  for (const value of luma) bins[value] += 1;
  let highlights = 0;
  let shadows = 0;
  for (let value = WHITE; value < 256; value += 1) highlights += bins[value];
  for (let value = 0; value <= BLACK; value += 1) shadows += bins[value];
  const count = Math.max(1, luma.length);
  return { bins, highlights: highlights / count, shadows: shadows / count };
}

/**
 * Returns the outline of a histogram as the path of an SVG, with a square-root scale.
 *
 * @param {Uint32Array} bins the counts
 * @param {number} width the width of the drawing
 * @param {number} height the height of the drawing
 */
export function histogramPath(bins, width, height) {
  // White and black pile up at the ends, and would press the rest down.
  let highest = 1;
  for (let index = 1; index < bins.length - 1; index += 1) highest = Math.max(highest, bins[index]);
  const points = Array.from(bins, (count, index) => {
    const share = Math.min(1, Math.sqrt(count / highest));
    return `L${(index / (bins.length - 1) * width).toFixed(1)} ${(height - share * height).toFixed(1)}`;
  });
  return `M0 ${height}${points.join("")}L${width} ${height}Z`;
}

/**
 * Marks the edges of a picture.
 *
 * @param {Uint8Array} luma one byte for each pixel
 * @param {number} width the columns
 * @param {number} height the rows
 * @param {number} threshold the step in brightness from which an edge counts
 * @param {Uint8ClampedArray} mask the pixels of the result (RGBA), red where there is an edge
 * @returns {number} the number of marked pixels
 */
export function markEdges(luma, width, height, threshold, mask) {
  mask.fill(0);
  let count = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const across = Math.abs(luma[at + 1] - luma[at - 1]);
      const down = Math.abs(luma[at + width] - luma[at - width]);
      if (across + down < threshold) continue;
      mask[at * 4] = 255;
      mask[at * 4 + 1] = 32;
      mask[at * 4 + 2] = 64;
      mask[at * 4 + 3] = 255;
      count += 1;
    }
  }
  return count;
}

/** The sharpness with the best value so far. */
export class SharpnessTrack {
  best = 0;
  current;
  #camera;

  /**
   * Takes the sharpness of a frame, 0 to 1.
   *
   * @param {number} sharpness the sharpness
   * @param {string} [camera] the camera; the best value of another one does not count
   */
  take(sharpness, camera) {
    if (!Number.isFinite(sharpness)) return;
    if (camera !== this.#camera) this.best = 0;
    this.#camera = camera;
    this.current = sharpness;
    this.best = Math.max(this.best, sharpness);
  }

  /** Forgets the best value. */
  reset() {
    this.best = this.current ?? 0;
  }

  /** Whether the sharpness is as good as the best one, as far as noise lets it be told. */
  get isAtBest() {
    return this.best > 0 && this.current >= this.best * 0.97;
  }
}
