// The focus at a place of the picture, and the square that marks the place until the lens has settled.

import { framePlace } from "../../core/turn.js";
import { h } from "../../dom/element.js";

/**
 * Makes the focus at a place.
 *
 * @param {import("./session-model.js").SessionModel} model
 * @param {() => {angle: number, isMirrored: boolean}} frame the frame that is shown
 * @returns {{mark: HTMLElement, focusAt: (place: {x: number, y: number}) => Promise<void>}} the places
 *   are in thousandths of the upright frame
 */
export function makeFocus(model, frame) {
  const mark = h("div", { class: "focus-mark", "aria-hidden": "true", hidden: true });
  let running = 0;

  async function focusAt(place) {
    const lens = model.overview?.lens;
    if (!lens) return;
    // A camera that cannot focus on a place chooses the place by itself.
    const { angle, isMirrored } = frame();
    const focusPoint = lens.focusesAtPoint ? framePlace(place, angle) : undefined;
    running += 1;
    if (focusPoint) {
      mark.style.left = `${(isMirrored ? 1000 - place.x : place.x) / 10}%`;
      mark.style.top = `${place.y / 10}%`;
      mark.hidden = false;
    }
    try {
      await model.act("v1/session/focus", { focusPoint });
    } finally {
      running -= 1;
      if (running === 0) mark.hidden = true;
    }
  }

  return { mark, focusAt };
}
