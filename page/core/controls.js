// The camera's controls in words, and the changes of a session that set them.

import { distance, exposure, words } from "./words.js";

const MODES = { own: "the camera's own", auto: "automatic", continuous: "continuous", locked: "locked" };

/** Returns a setting of a control in words, for example `locked` or `8.0 ms, gain 2`. */
export function modeInWords(value) {
  if (value === undefined) return undefined;
  if (typeof value !== "object") return MODES[value] ?? String(value);
  if (value.durationMicroseconds !== undefined) {
    return `${exposure(value.durationMicroseconds)}, gain ${value.gain}`;
  }
  if (value.red !== undefined) return `red ${value.red}, blue ${value.blue}`;
  return `${value.diopters} diopters, ${distance(value.diopters)}`;
}

/** The controls of the image: key in the API, key of the declared setting, name and step. */
export const IMAGE_CONTROLS = [
  { key: "exposureCompensation", setting: "camera.exposure_compensation", name: "Exposure compensation", step: 0.1 },
  { key: "brightness", setting: "camera.brightness", name: "Brightness", step: 0.05 },
  { key: "contrast", setting: "camera.contrast", name: "Contrast", step: 0.1 },
  { key: "saturation", setting: "camera.saturation", name: "Saturation", step: 0.1 },
  { key: "sharpness", setting: "camera.sharpness", name: "Sharpening", step: 0.1 },
  { key: "gamma", setting: "camera.gamma", name: "Gamma", step: 0.1 },
];

/** The range of the zoom that the API takes. */
export const ZOOM = { minimum: 1, maximum: 100 };

/** Returns a zoom within its range, with two decimals. */
export function zoomWithin(zoom) {
  return Math.round(Math.min(ZOOM.maximum, Math.max(ZOOM.minimum, zoom)) * 100) / 100;
}

/** Returns the zoom after a turn of the wheel. */
export function zoomAfterWheel(zoom, deltaY) {
  return zoomWithin(zoom * 1.1 ** (-deltaY / 100));
}

/** Returns the change that locks what the camera has found. */
export function lockAll(overview) {
  const change = { exposure: "locked", whiteBalance: "locked" };
  if (overview.lens) change.focus = "locked";
  return change;
}

/** Returns the sentences about what differs from the settings. */
export function differences(overview) {
  return [...(overview.controls?.notes ?? []), ...(overview.session.adjustments ?? [])];
}

/** Returns the values of a calibration as terms with their texts. */
export function calibrationFacts(calibration) {
  if (!calibration) return [];
  const { exposureMicroseconds, gain, redGain, blueGain, diopters } = calibration;
  return [
    ["Exposure", exposureMicroseconds === undefined ? undefined : exposure(exposureMicroseconds)],
    ["Gain", gain?.toFixed(2)],
    ["White balance", redGain === undefined ? undefined
      : `red ${redGain.toFixed(2)}, blue ${blueGain?.toFixed(2)}`],
    ["Focus", diopters === undefined ? undefined
      : `${diopters.toFixed(2)} diopters, ${distance(diopters)}`],
  ];
}

/** Returns the state of the lens in words. */
export function lensInWords(diopters, state) {
  if (diopters === undefined) return state && words(state);
  return `${diopters.toFixed(2)} diopters, ${distance(diopters)}${state ? `, ${words(state)}` : ""}`;
}
