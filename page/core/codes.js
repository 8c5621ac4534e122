// The meaning of the rig's reason codes, as the rig declares them.

import { words, sentence } from "./words.js";

/**
 * Returns the facts of a reason code.
 *
 * @param {Map<string, {flashes?: string, meaning?: string, advice?: string}>} declared
 * @param {string} code for example `cameraUnplugged`
 */
export function factsOf(declared, code) {
  const facts = declared.get(code) ?? {};
  return {
    code,
    meaning: sentence(facts.meaning ?? words(code)),
    advice: facts.advice,
    flashes: facts.flashes,
  };
}

/** The states of readiness that pass by themselves. */
const BUSY = {
  notReadyMomentarily: "Not ready",
  notReadyWaitingForCapture: "Taking a picture",
  notReadyWaitingForProcessing: "Storing pictures",
};

/**
 * Returns what people are told about the readiness.
 *
 * @param {{state: string, reasons: string[], warnings?: string[]} | undefined} readiness
 * @param {Map<string, object>} declared the declared codes
 * @returns {{tone: "unknown" | "ready" | "busy" | "fault", title: string, reasons: object[],
 *   warnings: object[]}}
 */
export function readinessInWords(readiness, declared) {
  if (!readiness) return { tone: "unknown", title: "Not known yet", reasons: [], warnings: [] };
  const reasons = readiness.reasons.map((code) => factsOf(declared, code));
  const warnings = (readiness.warnings ?? []).map((code) => factsOf(declared, code));
  if (readiness.state === "ready") return { tone: "ready", title: "Ready", reasons, warnings };
  const isBusy = readiness.state in BUSY && reasons.length === 0;
  const title = isBusy ? BUSY[readiness.state]
    : readiness.state === "sessionNotRunning" && reasons.length === 0 ? "Not running" : "Not ready";
  return { tone: isBusy ? "busy" : "fault", title, reasons, warnings };
}
