// The targets of uploads: their state, why they wait, and what runs.

import { factsOf } from "./codes.js";
import { bytes, counted, words } from "./words.js";

/** The reasons not to begin deliveries, in words. */
const HOLDS = {
  thermalCritical: "the rig is too hot",
  thermalSerious: "the rig is hot",
  window: "its hours of delivery have not come",
  technician: "a technician holds the uploads back",
};

const STATES = {
  stopped: "Stopped",
  idle: "Nothing to do",
  delivering: "Delivering",
  waitingToRetry: "Waiting to retry",
  held: "Held back",
};

/** Returns whether a technician holds uploads back. */
export function isPaused(targets) {
  return targets.some((target) => target.holds.includes("technician"));
}

/**
 * Returns what people are told about a target.
 *
 * @param {object} target a report of a target
 * @param {Map<string, object>} declared the declared codes
 * @returns {{title: string, tone: "ok" | "busy" | "fault", why: string[], advice: string[]}}
 */
export function targetInWords(target, declared) {
  const why = target.holds.map((hold) => `Because ${HOLDS[hold] ?? words(hold)}.`);
  if (target.detail) why.push(target.detail);
  const facts = target.faults.map((code) => factsOf(declared, code));
  const advice = facts.map((fact) => fact.advice).filter(Boolean);
  if (!target.detail) why.push(...facts.map((fact) => fact.meaning));
  const isWaiting = target.state === "waitingToRetry" || target.state === "held";
  const tone = target.faults.length || target.state === "waitingToRetry" ? "fault"
    : isWaiting || target.state === "delivering" ? "busy" : "ok";
  return { title: STATES[target.state] ?? words(target.state), tone, why, advice };
}

/** Returns the progress of a running delivery, 0 to 1; undefined when it is not known. */
export function progressOf(running) {
  if (running.fraction !== undefined) return running.fraction;
  if (running.bytesSent === undefined || running.bytes === 0) return undefined;
  return running.bytesSent / running.bytes;
}

/** Returns the sentence about a running delivery. */
export function runningSentence(running) {
  if (running.text) return running.text;
  const sent = running.bytesSent === undefined ? "" : `${bytes(running.bytesSent)} of `;
  return `${sent}${bytes(running.bytes)}`;
}

/** Returns the counts of a target since the service started. */
export function countsSentence(target) {
  const parts = [`${counted(target.delivered, "picture")} delivered`];
  if (target.duplicates) parts.push(`${target.duplicates} of them were there already`);
  if (target.failures) parts.push(counted(target.failures, "failed attempt"));
  if (target.parked) parts.push(`${target.parked} set aside`);
  return `${parts.join(", ")}.`;
}
