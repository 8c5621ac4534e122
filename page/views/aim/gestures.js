// Taps, the wheel and pinches on the live picture.

import { zoomAfterWheel, zoomWithin } from "../../core/controls.js";
import { uprightPlace } from "../../core/turn.js";

/** The distance in pixels up to which a touch is a tap. */
const TAP = 12;

/**
 * Follows taps, the wheel and pinches on the picture.
 *
 * @param {HTMLElement} box the box that has the shape of the picture
 * @param {object} options
 * @param {() => boolean} options.isMirrored whether the picture is mirrored
 * @param {(place: {x: number, y: number}) => void} options.onTap
 * @param {() => number} [options.zoom] the present zoom; without it nothing zooms
 * @param {(zoom: number) => void} [options.onZoom]
 */
export function followGestures(box, { isMirrored, onTap, zoom, onZoom }) {
  const pointers = new Map();
  let pinch;

  const place = (event) => {
    const area = box.getBoundingClientRect();
    return uprightPlace({
      x: (event.clientX - area.left) / area.width, y: (event.clientY - area.top) / area.height,
    }, isMirrored());
  };
  const spread = () => {
    const [one, other] = [...pointers.values()];
    return Math.hypot(one.x - other.x, one.y - other.y);
  };
  const moved = (event) => {
    const pointer = pointers.get(event.pointerId);
    return pointer ? Math.hypot(event.clientX - pointer.startX, event.clientY - pointer.startY) : Infinity;
  };

  box.addEventListener("pointerdown", (event) => {
    const { clientX: x, clientY: y } = event;
    pointers.set(event.pointerId, { x, y, startX: x, startY: y });
    if (pointers.size === 2 && zoom) pinch = { spread: spread(), zoom: zoom(), wasPinched: true };
  });
  box.addEventListener("pointermove", (event) => {
    const pointer = pointers.get(event.pointerId);
    if (!pointer) return;
    pointer.x = event.clientX;
    pointer.y = event.clientY;
    if (pinch && pointers.size === 2) onZoom(zoomWithin(pinch.zoom * spread() / (pinch.spread || 1)));
  });
  box.addEventListener("pointerup", (event) => {
    const isTap = pointers.size === 1 && !pinch && moved(event) <= TAP && event.button === 0;
    forget(event);
    if (isTap) onTap(place(event));
  });
  box.addEventListener("pointercancel", forget);
  box.addEventListener("pointerleave", forget);
  function forget(event) {
    pointers.delete(event.pointerId);
    if (pointers.size === 0) pinch = undefined;
  }

  if (!zoom) return;
  box.addEventListener("wheel", (event) => {
    event.preventDefault();
    onZoom(zoomAfterWheel(zoom(), event.deltaY));
  }, { passive: false });
}
