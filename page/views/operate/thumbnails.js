// Thumbnails of stored pictures, read from the beginning of their files.

import { thumbnailOfStream, turnOfOrientation } from "../../core/thumbnail.js";
import { drawingMatrix, turnedSize } from "../../core/turn.js";

/** The files that are read at a time, so that the other requests are not kept waiting. */
const AT_A_TIME = 2;
const LONGEST = 240;

/** A reader of thumbnails that reads a few files at a time, in the order of the requests. */
export class Thumbnails {
  #api;
  #signal;
  #waiting = [];
  #running = 0;

  /**
   * @param {import("../../core/api.js").API} api
   * @param {AbortSignal} signal ends the reading
   */
  constructor(api, signal) {
    this.#api = api;
    this.#signal = signal;
    signal.addEventListener("abort", () => {
      this.#waiting = [];
    });
  }

  /**
   * Draws the thumbnail of a picture.
   *
   * @param {string} id the picture's ID
   * @param {HTMLCanvasElement} canvas
   * @param {(error?: Error) => void} onEnd
   */
  draw(id, canvas, onEnd) {
    this.#waiting.push({ id, canvas, onEnd });
    this.#next();
  }

  async #next() {
    if (this.#running >= AT_A_TIME || this.#waiting.length === 0) return;
    const { id, canvas, onEnd } = this.#waiting.shift();
    this.#running += 1;
    try {
      await this.#read(id, canvas);
      onEnd();
    } catch (error) {
      if (!this.#signal.aborted) onEnd(error);
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  async #read(id, canvas) {
    const path = `v1/spool/items/${id}/image`;
    const file = await this.#api.request(path, { signal: this.#signal });
    const isPicture = /^image\/jpeg/.test(file.headers.get("content-type") ?? "");
    const found = isPicture ? await thumbnailOfStream(file.body) : undefined;
    if (!isPicture) await file.body.cancel();
    if (found?.thumbnail) {
      const blob = new Blob([found.thumbnail], { type: "image/jpeg" });
      return paint(canvas, await createImageBitmap(blob), turnOfOrientation(found.orientation));
    }
    if (!isPicture) throw new Error("This file is no picture that a browser shows.");
    // Without a thumbnail inside, the whole file is scaled; its orientation is applied on the way.
    const whole = await this.#api.request(path, { signal: this.#signal });
    return paint(canvas, await createImageBitmap(await whole.blob(), { resizeWidth: LONGEST }), 0);
  }
}

function paint(canvas, bitmap, angle) {
  try {
    const size = { width: bitmap.width, height: bitmap.height };
    const turned = turnedSize(size, angle);
    canvas.width = turned.width;
    canvas.height = turned.height;
    const drawing = canvas.getContext("2d");
    drawing.setTransform(...drawingMatrix(size, angle, false));
    drawing.drawImage(bitmap, 0, 0);
  } finally {
    bitmap.close();
  }
}
