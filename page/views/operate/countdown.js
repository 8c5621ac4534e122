// The countdown to a picture that the rig takes by itself, seen and heard.

import { toggleButton } from "../../dom/action.js";
import { h, setText } from "../../dom/element.js";

/** The tone of a second of the countdown: its pitch in hertz, its length in seconds. */
const TONE = { pitch: 880, length: 0.08 };

/** The age in milliseconds up to which a second of the countdown sounds: events may come late, and many at once. */
const FRESH = 2000;

/**
 * Makes the countdown, which shows from the first one on.
 *
 * @param {object} context the page's context
 * @param {AbortSignal} signal ends the following of countdowns
 */
export function countdownView({ store }, signal) {
  const left = h("output", { class: "countdown-figure" });
  let audio;
  // A browser lets a page sound only after a person has asked for it.
  const sound = globalThis.AudioContext && toggleButton("Sound", false, (isOn) => {
    audio?.close();
    audio = isOn ? new AudioContext() : undefined;
    // Who listens does not look.
    if (isOn) store.needs.add(element);
    else store.needs.delete(element);
  });
  signal.addEventListener("abort", () => {
    audio?.close();
    store.needs.delete(element);
  });
  const line = h("p", { hidden: true }, "The page is taken in ", left, " s. Move it, and it is not.");
  // After the first countdown, the switch stays.
  const element = h("section", { class: "countdown", "aria-label": "Countdown", hidden: true }, line, sound);

  store.on("event", ({ time, kind, data }) => {
    if (kind === "missed") line.hidden = true;
    if (kind !== "handsFree") return;
    const { secondsLeft } = data.handsFree;
    element.hidden = false;
    line.hidden = secondsLeft === undefined;
    setText(left, secondsLeft === undefined ? "" : String(secondsLeft));
    if (audio && secondsLeft !== undefined && Date.now() - time < FRESH) play(audio);
  }, signal);
  // Nobody knows whether a rig still counts whose events are missing.
  store.on("change", () => {
    if (store.connection.state !== "online") line.hidden = true;
  }, signal);
  return element;
}

function play(audio) {
  const tone = audio.createOscillator();
  tone.frequency.value = TONE.pitch;
  tone.connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + TONE.length);
}
