// What waits on the disk, and the disk itself.

import { bytes, counted, words } from "../../core/words.js";
import { spoken } from "../../core/time.js";
import { actionButton, problemLine, showProblem } from "../../dom/action.js";
import { facts, h, panel, replace } from "../../dom/element.js";

/** The age in milliseconds from which figures are read again: the oldest picture waits, and the disk fills. */
const INTERVAL = 30_000;

/** Makes the panel; reads the spool's figures when counts change, and again after a while. */
export function queuePanel(context, signal) {
  const { api, store } = context;
  const problem = problemLine();
  const body = h("div", {});
  let statistics;
  let shownCounts;
  let readAt = 0;

  async function load() {
    try {
      statistics = await api.get("v1/spool", {}, signal);
      showProblem(problem, undefined);
      show();
    } catch (error) {
      if (!signal.aborted) showProblem(problem, error);
    }
  }

  function show() {
    const spool = store.rig.status?.spool;
    if (!spool || !statistics) return;
    replace(body,
      spool.isStale && h("p", { class: "problem" }, "The disk does not answer; these counts are the last known ones."),
      facts([
        ["Waiting", `${counted(spool.waiting, "picture")}, ${bytes(spool.bytesWaiting)}`],
        ["Oldest waits", statistics.oldestWaitingSeconds === undefined ? undefined
          : `for ${spoken(statistics.oldestWaitingSeconds * 1000)}`],
        ["Delivered", counted(spool.delivered, "picture")],
        ["Set aside", spool.parked ? counted(spool.parked, "picture") : "none"],
        ["To be looked at", spool.quarantined ? counted(spool.quarantined, "file") : "none"],
      ]),
      h("h3", {}, "Disk"),
      facts([
        ["Free", bytes(statistics.freeBytes)],
        ["Left free by captures", bytes(statistics.minimumFreeBytes)],
        ["Room for pictures", roomFor(statistics)],
        ["Reserve for a full disk", statistics.hasBallast ? "there" : "missing"],
        ["Place", statistics.directory],
      ]),
      h("details", {}, h("summary", {}, "All states"),
        facts(statistics.states.map(({ state, items, bytes: length }) => (
          [words(state), `${items}, ${bytes(length)}`])))),
      spool.parked > 0 && actionButton(context, {
        label: "Let the pictures that were set aside wait again", problem,
        work: async () => {
          await api.post("v1/spool/retry");
          await load();
        },
      }));
  }

  store.on("open", load, signal);
  store.on("change", () => {
    const counts = JSON.stringify(store.rig.status?.spool);
    if (counts === shownCounts && Date.now() - readAt < INTERVAL) return;
    shownCounts = counts;
    readAt = Date.now();
    load();
  }, signal);
  load();
  return panel("Queue and disk", "", problem, body);
}

/** Returns the pictures that still fit, by the mean length of those that are there. */
export function roomFor({ states, freeBytes, minimumFreeBytes }) {
  const there = states.filter(({ items, bytes: length }) => items > 0 && length > 0);
  const items = there.reduce((sum, state) => sum + state.items, 0);
  const length = there.reduce((sum, state) => sum + state.bytes, 0);
  const room = Math.max(0, freeBytes - minimumFreeBytes);
  return items ? `about ${Math.floor(room / (length / items))} more` : bytes(room);
}
