// The crop guides over the live picture.

import { PAGES, bestResolution, guideOutline } from "../../core/guides.js";
import { turnedSize } from "../../core/turn.js";
import { choice, toggleButton } from "../../dom/action.js";
import { h, replace, setText, svg } from "../../dom/element.js";

/** Makes the guides; `show` gets the size of the full frame and its angle. */
export function makeGuides() {
  const overlay = svg("svg", {
    class: "guides", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true",
  });
  const note = h("p", { class: "hint", role: "status" });
  const state = { page: "", isLying: false, hasThirds: false, frame: undefined, pixelsPerInch: undefined };

  function draw() {
    const shapes = [];
    const page = PAGES.get(state.page);
    let text = "";
    if (page && state.frame) {
      const outline = guideOutline(state.frame, page, state);
      shapes.push(rectangle("guide-ground", outline), rectangle("guide", outline));
      text = noteFor(page, outline);
    }
    if (state.hasThirds) {
      for (const at of [100 / 3, 200 / 3]) {
        shapes.push(line(at, 0, at, 100), line(0, at, 100, at));
      }
    }
    shapes.push(line(49, 50, 51, 50), line(50, 49, 50, 51));
    replace(overlay, shapes);
    setText(note, text);
  }

  function noteFor(page, outline) {
    if (!outline.isTrueSize) {
      const best = bestResolution(state.frame, page, state.isLying);
      return `The outline has the proportions of ${page.name}. A page that fills the picture gets `
        + `${best} pixels to an inch at most.`;
    }
    return outline.fits ? `The outline has the true size of ${page.name}.`
      : `${page.name} is larger than the picture.`;
  }

  const pages = [["", "None"], ...[...PAGES].map(([key, { name }]) => [key, name])];
  const controls = h("div", { class: "buttons" },
    choice("Guide", pages, "", (value) => {
      state.page = value;
      draw();
    }),
    toggleButton("Lying", false, (isOn) => {
      state.isLying = isOn;
      draw();
    }),
    toggleButton("Thirds", false, (isOn) => {
      state.hasThirds = isOn;
      draw();
    }));
  draw();
  return {
    overlay,
    controls,
    note,
    /** Takes the size of the full frame in the sensor's position, and its turn. */
    show(size, angle) {
      if (!size) return;
      const frame = turnedSize(size, angle);
      if (frame.width === state.frame?.width && frame.height === state.frame?.height) return;
      state.frame = frame;
      draw();
    },
    /** Takes a measured scale, with which outlines have their true size; undefined for none. */
    measure(pixelsPerInch) {
      state.pixelsPerInch = pixelsPerInch;
      draw();
    },
    /** Takes the values of the camera that a scale depends on; a scale holds until one is another. */
    look(values) {
      const view = JSON.stringify(values);
      if (view !== state.view) this.measure(undefined);
      state.view = view;
    },
  };
}

function rectangle(name, { left, top, width, height }) {
  return svg("rect", {
    class: name, x: left * 100, y: top * 100, width: width * 100, height: height * 100,
  });
}

function line(x1, y1, x2, y2) {
  return svg("line", { class: "guide-line", x1, y1, x2, y2 });
}
