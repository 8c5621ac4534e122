// The live picture: the stream on a canvas, with what lies over it.

import { pause, pauseAfter } from "../../core/event-stream.js";
import { readPreview } from "../../core/preview-stream.js";
import { streamWidth } from "../../core/turn.js";
import { h, setText } from "../../dom/element.js";
import { FramePainter } from "../../dom/frame-painter.js";
import { untilVisible } from "../../dom/poll.js";

const FRAMES_A_SECOND = 15;
const BEGINNING = "The live picture begins.";

/**
 * Makes the live picture, which runs while the page is looked at.
 *
 * @param {object} context the page's context
 * @param {AbortSignal} signal ends the picture
 * @param {object} options
 * @param {Node[]} options.overlays what lies over the picture, in the same box
 * @param {(frame: object, canvas: HTMLCanvasElement) => void} options.onPainted
 * @returns {{element: HTMLElement, canvas: HTMLCanvasElement, box: HTMLElement}}
 */
export function livePicture(context, signal, { overlays, onPainted }) {
  const canvas = h("canvas", {
    class: "live", role: "img", "aria-label": "Live picture of the camera", width: "4", height: "3",
  });
  const message = h("p", { class: "stage-message", role: "status" }, BEGINNING);
  // The box has the shape of the picture, so that overlays can use shares of it.
  const box = h("div", { class: "picture-box" }, canvas, overlays);
  const element = h("div", { class: "stage" }, box, message);
  const painter = new FramePainter(canvas, (frame) => {
    setText(message, "");
    box.style.setProperty("--shape", `${canvas.width} / ${canvas.height}`);
    box.style.setProperty("--width-to-height", String(canvas.width / canvas.height));
    onPainted(frame, canvas);
  });
  signal.addEventListener("abort", () => painter.stop());
  run(context, signal, element, painter, message);
  return { element, canvas, box };
}

/** Reads the stream again and again, until a signal is aborted. */
async function run({ api }, signal, element, painter, message) {
  let failures = 0;
  while (!signal.aborted) {
    await untilVisible(signal);
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    const stopHidden = () => document.hidden && stop();
    signal.addEventListener("abort", stop);
    document.addEventListener("visibilitychange", stopHidden);
    try {
      const pixels = (element.clientWidth || 640) * (globalThis.devicePixelRatio || 1);
      await readPreview({
        api, width: streamWidth(pixels), fps: FRAMES_A_SECOND, signal: attempt.signal,
        onFrame: (frame) => {
          failures = 0;
          painter.offer(frame);
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      if (attempt.signal.aborted) {
        // What is seen until the next frame is from before the page was left.
        setText(message, BEGINNING);
      } else {
        setText(message, `${error.message ?? "The live picture has ended."} Trying again.`);
        failures += 1;
      }
    } finally {
      signal.removeEventListener("abort", stop);
      document.removeEventListener("visibilitychange", stopHidden);
      attempt.abort();
    }
    if (failures) await pause(pauseAfter(failures), signal);
  }
}
