// The state of the rig as the page knows it: the last status, and the events since.

/** The state before the first answer. */
export const UNKNOWN = Object.freeze({ status: undefined, readAt: undefined, movieReadAt: undefined });

/**
 * Returns the state after an event.
 *
 * @param {typeof UNKNOWN} rig the state so far
 * @param {{kind: string, data: any}} event an event of `GET /v1/events`
 * @param {number} now the time in milliseconds
 * @returns {typeof UNKNOWN} the same object when the event changes nothing here
 */
export function rigAfter(rig, { kind, data }, now) {
  const { status } = rig;
  if (!status) return rig;
  const report = data[kind];
  switch (kind) {
    case "readiness":
    case "session":
    case "thermal":
    case "rotation":
    case "buttons":
      return { ...rig, status: { ...status, [kind]: report } };
    case "movie":
      return { ...rig, status: { ...status, movie: report }, movieReadAt: now };
    case "targets":
      return { ...rig, status: { ...status, targets: report }, readAt: now };
    case "press":
      return { ...rig, status: { ...status, presses: pressesAfter(status.presses, report) } };
    default:
      return rig;
  }
}

/** Returns the counts after a report of a press; the next status has the exact ones. */
function pressesAfter(presses, report) {
  const isNew = report.number > (presses.last ?? 0);
  return {
    ...presses,
    last: isNew ? report.number : presses.last,
    inFlight: isNew && report.outcome === "pending" ? presses.inFlight + 1 : presses.inFlight,
    warnings: warningsAfter(presses, report),
  };
}

/** Returns the warnings about the last picture: a new press ends them, and a refused one leaves them. */
function warningsAfter({ last = 0, warnings }, { number, outcome, page }) {
  if (outcome === "refused" || number < last) return warnings;
  return outcome === "stored" ? page?.warnings : number > last ? undefined : warnings;
}

/**
 * Returns whether an event leaves counts behind that only another status has.
 *
 * @param {string} kind the event's kind
 * @param {any} data the event's data
 */
export function needsStatus(kind, data) {
  if (kind === "press") return data.press.outcome !== "pending";
  return kind === "missed" || kind === "delivery" || kind === "interruption"
    || kind === "configuration";
}
