// Geometry and analysis of the live picture, guides, level.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bestResolution, guideOutline } from "../../../page/core/guides.js";
import { pageLines, pageSentence } from "../../../page/core/page-view.js";
import { bubble, levelOf, levelSentence } from "../../../page/core/level.js";
import {
  SharpnessTrack, computeLuma, histogram, histogramPath, markEdges,
} from "../../../page/core/picture-analysis.js";
import { drawingMatrix, framePlace, quarter, streamWidth, turnedSize, uprightPlace } from "../../../page/core/turn.js";
import { FramePainter } from "../../../page/dom/frame-painter.js";
import { LatestSender } from "../../../page/core/latest.js";

const SIZE = { width: 40, height: 30 };
const apply = ([a, b, c, d, e, f], [x, y]) => [a * x + c * y + e, b * x + d * y + f];

test("a turned frame fills the turned canvas, mirrored or not", () => {
  for (const angle of [0, 90, 180, 270]) {
    for (const isMirrored of [false, true]) {
      const matrix = drawingMatrix(SIZE, angle, isMirrored);
      const turned = turnedSize(SIZE, angle);
      const corners = [[0, 0], [40, 0], [0, 30], [40, 30]].map((corner) => apply(matrix, corner));
      assert.deepEqual([...new Set(corners.map(([x]) => x))].sort((a, b) => a - b), [0, turned.width]);
      assert.deepEqual([...new Set(corners.map(([, y]) => y))].sort((a, b) => a - b), [0, turned.height]);
    }
  }
});

test("the top left of a frame goes clockwise with its angle, and to the other side in a mirror", () => {
  assert.deepEqual(apply(drawingMatrix(SIZE, 90, false), [0, 0]), [30, 0]);
  assert.deepEqual(apply(drawingMatrix(SIZE, 180, false), [0, 0]), [40, 30]);
  assert.deepEqual(apply(drawingMatrix(SIZE, 270, false), [0, 0]), [0, 40]);
  assert.deepEqual(apply(drawingMatrix(SIZE, 90, true), [0, 0]), [0, 0]);
  assert.equal(quarter(-90), 270);
});

test("a page is drawn where the turned and mirrored picture shows it, with its top", () => {
  const outline = [{ x: 0.2, y: 0.1 }, { x: 0.6, y: 0.1 }, { x: 0.6, y: 0.9 }, { x: 0.2, y: 0.9 }];
  const drawn = (angle, isMirrored, textAngle) => {
    const lines = pageLines({ outline, regions: [{ x: 0, y: 0, width: 0.5, height: 0.25 }], textAngle, angle, isMirrored });
    const round = (points) => points?.map((point) => point.map((value) => Math.round(value)));
    return { outline: round(lines.outline), region: round(lines.regions[0]), arrow: round(lines.arrow) };
  };
  assert.deepEqual(drawn(0, false, 0), {
    outline: [[20, 10], [60, 10], [60, 90], [20, 90]], region: [[0, 0], [50, 0], [50, 25], [0, 25]], arrow: [[40, 50], [40, 38]],
  });
  // Text that is upright after the picture's own turn points up.
  for (const angle of [0, 90, 180, 270]) {
    for (const isMirrored of [false, true]) {
      const [[footX, footY], [tipX, tipY]] = drawn(angle, isMirrored, angle).arrow;
      assert.deepEqual([tipX - footX, tipY - footY], [0, -12], `${angle} ${isMirrored}`);
    }
  }
  assert.deepEqual(drawn(90, false, 0).outline, [[90, 20], [90, 60], [10, 60], [10, 20]]);
  assert.deepEqual(drawn(0, true, undefined), {
    outline: [[80, 10], [40, 10], [40, 90], [80, 90]], region: [[100, 0], [50, 0], [50, 25], [100, 25]], arrow: undefined,
  });
  const empty = pageLines({ regions: [], angle: 0, isMirrored: false, textAngle: 90 });
  assert.deepEqual([empty.outline, empty.regions, empty.arrow], [undefined, [], undefined]);
});

test("the sentence about a page says what to do, and what is wrong", () => {
  assert.equal(pageSentence({ advice: "Go on.", warnings: [] }), "Go on.");
  assert.equal(pageSentence({ advice: "Go on.", warnings: [{ meaning: "a" }, { meaning: "b" }] }), "Go on. Now a, b.");
});

test("a tap on a mirrored picture is a place on the other side of the frame", () => {
  assert.deepEqual(uprightPlace({ x: 0.25, y: 0.5 }, false), { x: 250, y: 500 });
  assert.deepEqual(uprightPlace({ x: 0.25, y: 1.5 }, true), { x: 750, y: 1000 });
});

test("a place of the upright picture is a place of the camera's own frame", () => {
  for (const angle of [0, 90, 180, 270]) {
    const own = framePlace({ x: 250, y: 900 }, angle);
    const turned = turnedSize(SIZE, angle);
    const [x, y] = apply(drawingMatrix(SIZE, angle, false), [own.x * SIZE.width, own.y * SIZE.height]);
    assert.ok(Math.abs(x / turned.width - 0.25) < 1e-9 && Math.abs(y / turned.height - 0.9) < 1e-9, `${angle}°`);
  }
});

test("widths are shared by screens of about the same size", () => {
  assert.deepEqual([300, 375, 700, 1400, 5000].map(streamWidth), [320, 640, 1024, 1024, 1024]);
});

test("a guide keeps the proportions of the page, and has its true size with a scale", () => {
  const frame = { width: 4000, height: 3000 };
  const a4 = { width: 210, height: 297 };
  const outline = guideOutline(frame, a4);
  assert.ok(Math.abs(outline.width * 4000 / (outline.height * 3000) - 210 / 297) < 1e-9);
  assert.ok(outline.fits && !outline.isTrueSize);
  const scaled = guideOutline(frame, a4, { pixelsPerInch: 254 });
  assert.ok(Math.abs(scaled.width * 4000 - 2100) < 1e-6);
  assert.equal(guideOutline(frame, a4, { pixelsPerInch: 300 }).fits, false);
  assert.equal(bestResolution({ width: 4056, height: 3040 }, a4, true), 346);
});

test("the level of a rig that looks down follows the higher side", () => {
  const level = levelOf([9.81 * Math.sin(2 / 57.29578), 0, 9.81 * Math.cos(2 / 57.29578)]);
  assert.ok(level.isFlat && Math.abs(level.across - 2) < 0.01);
  assert.equal(levelSentence(level), "The right side is 2.0° higher.");
  assert.ok(bubble(level).x > 0);
  assert.equal(levelSentence(levelOf([0, 0, 9.81])), "Level.");
  assert.equal(levelOf([0, 0, 0]), undefined);
  assert.equal(levelOf(undefined), undefined);
});

test("the level of an upright rig is its rest to the next quarter turn", () => {
  const turned = levelOf([-9.81 * Math.sin(93 / 57.29578), 9.81 * Math.cos(93 / 57.29578), 0]);
  assert.equal(levelSentence(turned), "Turned 3.0° clockwise.");
  assert.equal(levelSentence(levelOf([0, 9.7, 1])), "Looks 5.9° down.");
});

test("brightness, clipping and edges are counted", () => {
  const luma = new Uint8Array(16);
  const rgba = new Uint8ClampedArray(64);
  // The right half is white.
  for (let index = 0; index < 16; index += 1) rgba.fill(index % 4 < 2 ? 0 : 255, index * 4, index * 4 + 4);
  computeLuma(rgba, luma);
  const found = histogram(luma);
  assert.deepEqual([found.highlights, found.shadows], [0.5, 0.5]);
  assert.match(histogramPath(found.bins, 256, 64), /^M0 64L0\.0 .*L256\.0 [\d.]+L256 64Z$/);
  const mask = new Uint8ClampedArray(64);
  assert.equal(markEdges(luma, 4, 4, 100, mask), 4);
  assert.equal(markEdges(new Uint8Array(16).fill(80), 4, 4, 100, mask), 0);
  assert.ok(mask.every((value) => value === 0));
});

test("the best sharpness is kept, and forgotten with another camera", () => {
  const track = new SharpnessTrack();
  for (const value of [0.2, 0.6, 0.5]) track.take(value, "a");
  assert.deepEqual([track.current, track.best, track.isAtBest], [0.5, 0.6, false]);
  track.take(NaN, "a");
  track.take(0.3, "b");
  assert.deepEqual([track.best, track.isAtBest], [0.3, true]);
});

test("a painter decodes one frame at a time, draws the newest, and closes each", async () => {
  let open = 0;
  let most = 0;
  const waiting = [];
  const canvas = {
    width: 0, height: 0, setAttribute() {}, getContext: () => ({ setTransform() {}, drawImage() {} }),
  };
  const painted = [];
  const painter = new FramePainter(canvas, (frame) => painted.push(frame.number), (blob) => new Promise((resolve, reject) => {
    waiting.push(() => {
      if (blob.size === 0) return reject(new Error("damaged"));
      open += 1;
      most = Math.max(most, open);
      return resolve({ width: 4, height: 3, close: () => { open -= 1; } });
    });
  }));
  const frame = (number, length = 1) => ({ number, bytes: new Uint8Array(length), type: "image/jpeg", angle: 90 });
  for (let number = 1; number <= 5; number += 1) painter.offer(frame(number));
  const turn = async () => {
    waiting.shift()();
    await new Promise((resolve) => setImmediate(resolve));
  };
  await turn();
  await turn();
  painter.offer(frame(6, 0));
  await turn();
  painter.offer(frame(7));
  await turn();
  assert.deepEqual(painted, [1, 5, 7]);
  assert.deepEqual(painter.counts, { painted: 3, dropped: 3, broken: 1 });
  assert.deepEqual([open, most, canvas.width, canvas.height], [0, 1, 3, 4]);
});

test("of values that come while one is on its way the newest is sent", async () => {
  const sent = [];
  let release;
  const sender = new LatestSender((value) => {
    sent.push(value);
    return new Promise((resolve) => {
      release = resolve;
    });
  }, assert.fail);
  for (const value of [1, 2, 3]) sender.offer(value);
  release();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(sent, [1, 3]);
});
