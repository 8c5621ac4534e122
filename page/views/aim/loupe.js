// The loupe: a part of the full frame, a pixel of the sensor on a pixel of the screen.

import { READ_LIMIT, within } from "../../core/api.js";
import { drawingMatrix } from "../../core/turn.js";
import { h, replace, setText } from "../../dom/element.js";
import { poll } from "../../dom/poll.js";

const INTERVAL = 400;
const SIZE = { width: 480, height: 320 };
/** The step of the arrow keys, in thousandths of the frame. */
const STEP = 10;

/**
 * Makes the loupe.
 *
 * @param {object} context the page's context
 * @param {AbortSignal} signal ends the loupe
 * @param {() => boolean} isMirrored whether the live picture is mirrored
 */
export function makeLoupe({ api }, signal, isMirrored) {
  const place = { x: 500, y: 500 };
  const canvas = h("canvas", {
    class: "loupe-picture", tabindex: "0", role: "img", width: SIZE.width, height: SIZE.height,
    "aria-label": "Loupe, one to one; the arrow keys move it",
  });
  const message = h("p", { class: "hint", role: "status" });
  const ring = h("div", { class: "loupe-ring", "aria-hidden": "true", hidden: true });
  const element = h("div", { class: "loupe", hidden: true }, canvas, message);
  let attempt;

  canvas.addEventListener("keydown", (event) => {
    const [x, y] = {
      ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP],
    }[event.key] ?? [0, 0];
    if (!x && !y) return;
    event.preventDefault();
    moveTo({ x: place.x + (isMirrored() ? -x : x), y: place.y + y });
  });

  async function read() {
    if (element.hidden) return;
    const { isShownMirrored, file } = await within(READ_LIMIT, signal, async (limited) => {
      const answer = await api.request("v1/preview/loupe", { query: { ...place, ...SIZE }, signal: limited });
      return { isShownMirrored: answer.headers.get("x-platen-mirrored") === "true", file: await answer.blob() };
    });
    const bitmap = await createImageBitmap(file);
    try {
      if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
      if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
      // A pixel of the frame is a pixel of the screen, also on a screen with a fine grid.
      canvas.style.width = `${bitmap.width / (globalThis.devicePixelRatio || 1)}px`;
      const drawing = canvas.getContext("2d", { alpha: false });
      drawing.setTransform(...drawingMatrix(bitmap, 0, isShownMirrored));
      drawing.drawImage(bitmap, 0, 0);
    } finally {
      bitmap.close();
    }
  }

  function moveTo({ x, y }) {
    place.x = Math.min(1000, Math.max(0, x));
    place.y = Math.min(1000, Math.max(0, y));
    const across = isMirrored() ? 1000 - place.x : place.x;
    ring.style.left = `${across / 10}%`;
    ring.style.top = `${place.y / 10}%`;
  }

  moveTo(place);
  return {
    element,
    ring,
    moveTo,
    /** The place in thousandths of the upright frame. */
    get place() {
      return { ...place };
    },
    show(isOn) {
      element.hidden = !isOn;
      ring.hidden = !isOn;
      if (!isOn) {
        attempt?.abort();
        replace(message);
        return;
      }
      attempt = new AbortController();
      signal.addEventListener("abort", () => attempt.abort(), { once: true });
      poll(read, INTERVAL, attempt.signal, (error) => setText(message, error?.message ?? ""));
    },
  };
}
