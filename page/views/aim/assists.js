// The assists over the live picture: edges, histogram, clipping, sharpness.

import {
  SharpnessTrack, computeLuma, histogram, histogramPath, markEdges,
} from "../../core/picture-analysis.js";
import { percent } from "../../core/words.js";
import { h, setText, svg } from "../../dom/element.js";

/** The time between two analyses in milliseconds. */
const INTERVAL = 200;
/** The columns of the analyzed picture, without and with edges. */
const COLUMNS = { plain: 256, edges: 640 };
/** The step in brightness from which an edge counts. */
const EDGE = 64;
const DRAWING = { width: 256, height: 72 };

/** Makes the assists; `take` gets each frame that was drawn. */
export function makeAssists(context) {
  const edges = h("canvas", { class: "edges", "aria-hidden": "true", hidden: true });
  const outline = svg("path", { class: "histogram-outline" });
  const histogramView = svg("svg", {
    class: "histogram", viewBox: `0 0 ${DRAWING.width} ${DRAWING.height}`, role: "img",
    "aria-label": "Histogram of brightness, black at the left", preserveAspectRatio: "none",
  }, outline);
  const clipping = h("p", { class: "clipping" });
  const sharpness = sharpnessView();
  const analysis = document.createElement("canvas");
  let luma = new Uint8Array(0);
  let mask;
  let last = 0;
  let showsEdges = false;

  function analyze(canvas) {
    const columns = Math.min(canvas.width, showsEdges ? COLUMNS.edges : COLUMNS.plain);
    const rows = Math.max(1, Math.round(canvas.height * columns / canvas.width));
    if (analysis.width !== columns || analysis.height !== rows) {
      analysis.width = columns;
      analysis.height = rows;
      luma = new Uint8Array(columns * rows);
      mask = undefined;
    }
    const drawing = analysis.getContext("2d", { willReadFrequently: true });
    drawing.drawImage(canvas, 0, 0, columns, rows);
    computeLuma(drawing.getImageData(0, 0, columns, rows).data, luma);
    const found = histogram(luma);
    outline.setAttribute("d", histogramPath(found.bins, DRAWING.width, DRAWING.height));
    setText(clipping, `White ${percent(found.highlights)}, black ${percent(found.shadows)}`);
    clipping.classList.toggle("is-clipped", found.highlights > 0.01);
    if (showsEdges) drawEdges(columns, rows);
  }

  function drawEdges(columns, rows) {
    if (edges.width !== columns) edges.width = columns;
    if (edges.height !== rows) edges.height = rows;
    mask ??= new ImageData(columns, rows);
    markEdges(luma, columns, rows, EDGE, mask.data);
    edges.getContext("2d").putImageData(mask, 0, 0);
  }

  return {
    overlay: edges,
    histogramView: h("div", { class: "histogram-box" }, histogramView, clipping),
    sharpnessView: sharpness.element,
    showEdges(isOn) {
      showsEdges = isOn;
      edges.hidden = !isOn;
    },
    take(frame, canvas) {
      sharpness.take(frame.sharpness, context.store.rig.status?.session.camera?.id);
      const now = performance.now();
      if (now - last < INTERVAL) return;
      last = now;
      analyze(canvas);
    },
  };
}

/** The sharpness as a bar, with a mark at the best value. */
function sharpnessView() {
  const track = new SharpnessTrack();
  const value = h("output", { class: "figure" }, "–");
  const best = h("span", {}, "");
  const bar = svg("rect", { class: "bar", x: "0", y: "0", width: "0", height: "10" });
  const mark = svg("rect", { class: "mark", x: "0", y: "0", width: "0.6", height: "10" });
  const drawing = svg("svg", {
    class: "sharpness-bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true",
  }, svg("rect", { class: "ground", width: "100", height: "10" }), bar, mark);
  const element = h("div", { class: "sharpness" },
    h("p", {}, "Sharpness ", value, " ", best), drawing,
    h("button", {
      type: "button", class: "quiet",
      on: {
        click() {
          track.reset();
          show();
        },
      },
    }, "Forget the best value"));

  function show() {
    if (track.current === undefined) return;
    setText(value, track.current.toFixed(3));
    setText(best, track.isAtBest ? "the best so far" : `best ${track.best.toFixed(3)}`);
    // The bar is full at the best value, so that small figures can be told apart.
    const full = Math.max(track.best * 1.1, 0.001);
    bar.setAttribute("width", (track.current / full * 100).toFixed(1));
    mark.setAttribute("x", (track.best / full * 100).toFixed(1));
    element.classList.toggle("is-best", track.isAtBest);
  }

  return {
    element,
    take(sharpness, camera) {
      track.take(sharpness, camera);
      show();
    },
  };
}
