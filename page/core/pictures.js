// The last pictures, from reports of presses.

import { words } from "./words.js";

/** The number of pictures that are shown. */
export const SHOWN_PICTURES = 50;

/** The states of a picture whose file is on the rig. */
const ON_RIG = new Set(["stored", "delivering", "parked", "delivered"]);

/** Returns the pictures of a press, the first file first; empty unless the press is stored, and for a recording. */
export function picturesOf(press) {
  if (press.outcome !== "stored" || press.path?.endsWith(".mp4")) return [];
  const ids = press.itemIDs?.length ? press.itemIDs : press.itemID ? [press.itemID] : [];
  return ids.map((id, index) => ({
    id,
    press: press.number,
    index: index + 1,
    count: ids.length,
    time: press.time,
    trust: press.timeTrust,
    orientation: press.exifOrientation ?? 1,
    isOnRig: press.pictureState === undefined || ON_RIG.has(press.pictureState),
    state: press.pictureState ?? "stored",
    nearDuplicateOf: index === 0 ? press.nearDuplicateOf : undefined,
    receipt: index === 0 ? press.receipt : undefined,
    adjusting: press.adjusting ?? [],
    warnings: index === 0 ? press.page?.warnings ?? [] : [],
  }));
}

/**
 * Returns the pictures after a report of a press, the newest first.
 *
 * @param {object[]} pictures the pictures so far
 * @param {object} press a report of a press
 */
export function picturesAfter(pictures, press) {
  const own = picturesOf(press);
  if (own.length === 0) return pictures;
  const others = pictures.filter((picture) => picture.press !== press.number);
  return [...others, ...own]
    .sort((one, other) => other.press - one.press || one.index - other.index)
    .slice(0, SHOWN_PICTURES);
}

/** Returns the press of a picture among the shown ones; undefined for one that is older. */
export function pressOf(pictures, id) {
  return pictures.find((picture) => picture.id === id)?.press;
}

/** Returns the caption of a picture. */
export function caption(picture, time) {
  const place = picture.count > 1 ? `, ${picture.index} of ${picture.count}` : "";
  return `Press ${picture.press}${place}${time ? `, ${time}` : ""}`;
}

/** Returns the marks of a picture. */
export function marksOf(picture, pictures) {
  const marks = picture.warnings.map(({ meaning }) => meaning);
  if (picture.nearDuplicateOf) {
    const press = pressOf(pictures, picture.nearDuplicateOf);
    marks.push(press === undefined ? "looks like an earlier picture" : `looks like press ${press}`);
  }
  if (picture.adjusting.length) marks.push(`${picture.adjusting.map(words).join(", ")} was adjusting`);
  if (!picture.isOnRig) marks.push(picture.receipt ? "uploaded, no longer on the rig" : words(picture.state));
  else if (picture.state === "parked") marks.push("set aside by a target");
  return marks;
}
