// The doctor's findings with their advice.

import { words, capitalized } from "../../core/words.js";
import { clockTime } from "../../core/time.js";
import { actionButton, problemLine } from "../../dom/action.js";
import { h, panel, replace } from "../../dom/element.js";

const VERDICTS = { ok: "in order", notChecked: "not checked", warning: "warning", fault: "fault" };
const ORDER = ["fault", "warning", "notChecked", "ok"];

/** Makes the panel; the examination takes some seconds, so that a person asks for it. */
export function doctorPanel(context, signal) {
  const problem = problemLine();
  const body = h("div", { "aria-live": "polite" }, h("p", { class: "hint" }, "The doctor has not looked yet."));
  const look = actionButton(context, {
    label: "Look again", busy: "Looking…", problem, isReading: true,
    async work() {
      const report = await context.api.get("v1/doctor", {}, signal);
      replace(body, findingsOf(report));
    },
  });
  look.click();
  return panel("Doctor", "", h("div", { class: "buttons" }, look), problem, body);
}

function findingsOf({ findings, version }) {
  const sorted = [...findings].sort((one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict));
  const toTell = sorted.filter(({ verdict }) => verdict === "fault" || verdict === "warning");
  const others = sorted.filter(({ verdict }) => verdict !== "fault" && verdict !== "warning");
  return [
    h("p", {}, toTell.length ? "" : "The doctor finds nothing wrong.",
      h("span", { class: "hint" }, ` Looked at ${clockTime(Date.now())}, version ${version}.`)),
    h("ul", { class: "findings" }, toTell.map(findingItem)),
    h("details", {}, h("summary", {}, "Parts in order, and parts that were not checked"),
      h("ul", { class: "findings" }, others.map(findingItem))),
  ];
}

function findingItem({ part, subject, verdict, seen, advice, code, lightCode }) {
  return h("li", { class: "finding", "data-verdict": verdict },
    h("p", {}, h("strong", {}, capitalized(words(part)), subject && ` "${subject}"`), " ",
      h("span", { class: "state" }, VERDICTS[verdict])),
    h("p", {}, seen),
    advice && h("p", { class: "advice" }, advice),
    code && h("p", { class: "hint" }, code, lightCode && `, flashes ${lightCode}`));
}
