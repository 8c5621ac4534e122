// The progress of captures: five steps each, and the files as they are stored.

/** The steps of a capture in their order, with the words for people. */
export const STEPS = [
  ["settingsResolved", "Settings"],
  ["exposureBegan", "Exposure began"],
  ["exposureEnded", "Exposure ended"],
  ["photoDelivered", "Stored"],
  ["captureFinished", "Finished"],
];

const order = new Map(STEPS.map(([step], index) => [step, index]));

/** The most captures that are shown at a time. */
const SHOWN = 4;

/**
 * Returns the captures after a report of progress.
 *
 * @param {{press: number, step: number, count?: number, index?: number, reason?: string}[]} captures
 *   the captures so far, the newest first
 * @param {{press: number, step: string, count?: number, index?: number, reason?: string}} report
 */
export function capturesAfter(captures, report) {
  const before = captures.find((capture) => capture.press === report.press);
  const capture = {
    press: report.press,
    step: Math.max(before?.step ?? -1, order.get(report.step) ?? -1),
    count: report.count ?? before?.count,
    index: report.index ?? before?.index,
    reason: report.reason ?? before?.reason,
  };
  const others = captures.filter((other) => other.press !== report.press);
  return [capture, ...others].sort((one, other) => other.press - one.press).slice(0, SHOWN);
}

/** Returns whether a capture is over. */
export function isFinished(capture) {
  return capture.step === STEPS.length - 1;
}

/** Returns the sentence about a capture, for example `Press 7: stored, 1 of 2.` */
export function captureSentence(capture) {
  if (capture.reason) return `Press ${capture.press}: no picture.`;
  const [, step] = STEPS[capture.step] ?? ["", "Begun"];
  const files = capture.index && capture.count ? `, ${capture.index} of ${capture.count}` : "";
  return `Press ${capture.press}: ${step.toLowerCase()}${files}.`;
}
