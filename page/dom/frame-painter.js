// The drawing of frames on a canvas, at most one in work and one waiting.

import { drawingMatrix, turnedSize } from "../core/turn.js";

/**
 * A painter that never holds more than two frames.
 *
 * A frame that comes while another one is decoded waits, and is replaced by a newer one. Each decoded
 * picture is closed at once, so that its memory does not wait for the garbage collector.
 */
export class FramePainter {
  /** The frames that were drawn, dropped for a newer one, and not decodable. */
  counts = { painted: 0, dropped: 0, broken: 0 };
  #canvas;
  #decode;
  #onPainted;
  #waiting;
  #isDecoding = false;
  #isStopped = false;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {(frame: object, canvas: HTMLCanvasElement) => void} onPainted
   * @param {(blob: Blob) => Promise<ImageBitmap>} [decode]
   */
  constructor(canvas, onPainted, decode = (blob) => createImageBitmap(blob)) {
    this.#canvas = canvas;
    this.#onPainted = onPainted;
    this.#decode = decode;
  }

  /** Takes a frame. */
  offer(frame) {
    if (this.#isStopped) return;
    if (this.#isDecoding) {
      if (this.#waiting) this.counts.dropped += 1;
      this.#waiting = frame;
      return;
    }
    this.#paintAll(frame);
  }

  /** Ends the drawing. */
  stop() {
    this.#isStopped = true;
    this.#waiting = undefined;
  }

  async #paintAll(first) {
    this.#isDecoding = true;
    for (let frame = first; frame && !this.#isStopped; frame = this.#next()) {
      let bitmap;
      try {
        bitmap = await this.#decode(new Blob([frame.bytes], { type: frame.type }));
        if (!this.#isStopped) this.#draw(bitmap, frame);
      } catch {
        this.counts.broken += 1;
      } finally {
        bitmap?.close();
      }
    }
    this.#isDecoding = false;
  }

  #next() {
    const frame = this.#waiting;
    this.#waiting = undefined;
    return frame;
  }

  #draw(bitmap, frame) {
    const size = { width: bitmap.width, height: bitmap.height };
    const turned = turnedSize(size, frame.angle);
    const canvas = this.#canvas;
    // A new size clears the canvas, so that it is set only when it is another one.
    if (canvas.width !== turned.width) canvas.width = turned.width;
    if (canvas.height !== turned.height) canvas.height = turned.height;
    const drawing = canvas.getContext("2d", { alpha: false });
    drawing.setTransform(...drawingMatrix(size, frame.angle, frame.isMirrored));
    drawing.drawImage(bitmap, 0, 0);
    this.counts.painted += 1;
    canvas.setAttribute("data-frame", String(frame.number ?? ""));
    canvas.setAttribute("data-painted", String(this.counts.painted));
    this.#onPainted(frame, canvas);
  }
}
