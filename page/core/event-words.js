// Sentences for what happens on a rig.

import { movieSentence, recordingSentence } from "./movie.js";
import { counted, listedCodes, sentence, words } from "./words.js";

/** Returns how a stored picture was taken. */
function shot(press) {
  const angle = press.captureAngle ?? 0;
  const turned = angle ? `turned by ${angle}°` : "upright";
  return `${Math.abs(press.selectionErrorMilliseconds ?? 0).toFixed(0)} ms from its frame, ${turned}, `
    + `stored after ${(press.pressToStoredMilliseconds ?? 0).toFixed(0)} ms`;
}

const TELLERS = {
  readiness(report) {
    if (report.state === "ready") return "Ready: presses are taken.";
    // The states without a reason pass by themselves within a picture.
    if (!report.reasons.length) return undefined;
    return `Not ready: ${listedCodes(report.reasons)}.`;
  },
  press(report) {
    if (report.outcome === "refused") return `Press ${report.number}: refused, ${words(report.reason)}.`;
    if (report.receipt) return `Press ${report.number}: uploaded to "${report.receipt.target}".`;
    if (report.outcome !== "stored") return undefined;
    const warnings = report.page?.warnings ?? [];
    return [`Press ${report.number}: ${shot(report)}.`, ...warnings.map(({ meaning, advice }) => `${sentence(meaning)} ${advice}`)]
      .join(" ");
  },
  interruption(report) {
    if (report.endedNanoseconds === undefined) {
      return sentence(`interrupted: ${words(report.reason)}${report.cause ? `: ${report.cause}` : ""}`);
    }
    const seconds = (report.endedNanoseconds - report.beganNanoseconds) / 1e9;
    return `Over after ${seconds.toFixed(1)} s: ${words(report.reason)}.`;
  },
  thermal(report) {
    const hottest = report.temperatures.find(({ zone }) => zone === report.hottest);
    const degrees = hottest?.celsius === undefined ? "" : `, ${hottest.celsius.toFixed(0)} °C`;
    return `Heat: ${report.state}${degrees}.`;
  },
  session(report) {
    const size = report.size ? `, ${report.size.width}x${report.size.height}` : "";
    return sentence(`the session is ${words(report.state)}${size}`);
  },
  configuration() {
    return "The settings of the session changed.";
  },
  delivery(report) {
    const picture = report.press === undefined ? report.itemID : `press ${report.press}`;
    const what = { waitingToRetry: "waits", parked: "is set aside" }[report.state];
    if (!what) return undefined;
    return sentence(`${picture}: its upload to "${report.target}" ${what}`
      + `${report.detail ? `: ${report.detail}` : ""}`);
  },
  buttons(reports) {
    const faulty = reports.filter(({ faults }) => faults.length);
    if (!faulty.length) return undefined;
    return faulty.map(({ name, faults }) => `Button "${name}": ${listedCodes(faults)}.`).join(" ");
  },
  handsFree({ secondsLeft }) {
    return secondsLeft === undefined ? undefined : `The page is taken by itself in ${secondsLeft} s.`;
  },
  movie({ state, reason, droppedFrames, last }) {
    if (state === "idle") return last && recordingSentence(last);
    if (state === "starting" || state === "finishing") return undefined;
    if (state === "recording" && droppedFrames) return `The recording lacks ${counted(droppedFrames, "frame")}.`;
    return state === "interrupted" ? `The recording is interrupted: ${words(reason)}.` : movieSentence({ state });
  },
  rotation(report) {
    if (!["ok", "none"].includes(report.accelerometer)) {
      return `The accelerometer is ${report.accelerometer}: pictures keep the last orientation.`;
    }
    return `Pictures are turned by ${report.captureAngle}° to be upright.`;
  },
};

/**
 * Returns the sentence for an event; undefined for one that tells a person nothing.
 *
 * @param {{kind: string, data: any}} event an event of `GET /v1/events`
 */
export function eventSentence({ kind, data }) {
  if (kind === "missed") {
    return data.count === undefined ? "Events were missed." : `${data.count} events were missed.`;
  }
  return TELLERS[kind]?.(data[kind]);
}
