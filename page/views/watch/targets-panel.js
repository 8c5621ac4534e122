// The targets: what they do, why they wait, and for how long.

import {
  countsSentence, isPaused, progressOf, runningSentence, targetInWords,
} from "../../core/targets.js";
import { countdown } from "../../core/time.js";
import { actionButton, problemLine } from "../../dom/action.js";
import { h, panel, replace, setText } from "../../dom/element.js";

/** Makes the panel; follows the rig until a signal is aborted. */
export function targetsPanel(context, signal) {
  const { api, store } = context;
  const problem = problemLine();
  const list = h("ul", { class: "targets" });
  const buttons = h("div", { class: "buttons" });
  let shown;

  function show() {
    const targets = store.rig.status?.targets;
    if (!targets) return;
    const key = JSON.stringify(targets);
    if (key === shown) return;
    shown = key;
    replace(list, targets.length ? targets.map((target) => targetItem(context, target, problem))
      : h("li", {}, "No target is configured: pictures stay on the disk."));
    tick();
    if (!targets.length) return;
    replace(buttons, isPaused(targets)
      ? actionButton(context, {
        label: "Resume uploads", problem, attributes: { "data-name": "uploads" }, work: () => api.post("v1/targets/resume"),
      })
      : actionButton(context, {
        label: "Pause uploads", problem, attributes: { "data-name": "uploads" }, work: () => api.post("v1/targets/pause"),
      }));
  }

  /** The countdowns go on by themselves, outside of what is read out. */
  function tick() {
    for (const place of list.querySelectorAll(".countdown")) {
      const seconds = Number(place.getAttribute("data-seconds"));
      setText(place, `next attempt ${countdown(seconds, store.rig.readAt, Date.now())}`);
    }
  }

  const timer = setInterval(tick, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  store.on("change", show, signal);
  show();
  return panel("Targets", "", list, buttons, problem);
}

function targetItem(context, target, problem) {
  const { title, tone, why, advice } = targetInWords(target, context.codes);
  const waits = target.nextAttemptSeconds !== undefined;
  return h("li", { class: "target", "data-tone": tone },
    h("p", {}, h("strong", {}, target.name), ` (${target.kind}) `, h("span", { class: "state" }, title), " ",
      waits && h("span", {
        class: "countdown", "data-seconds": target.nextAttemptSeconds, "aria-hidden": "true",
      })),
    h("p", { class: "hint" }, target.url),
    why.map((text) => h("p", {}, text)),
    advice.map((text) => h("p", { class: "advice" }, text)),
    target.running.map(runningItem),
    h("p", { class: "hint" }, countsSentence(target)),
    (waits || target.state === "held") && actionButton(context, {
      label: "Try now", problem, attributes: { "aria-label": `Try "${target.name}" now` },
      work: () => context.api.post("v1/targets/retry", { target: target.name }),
    }));
}

function runningItem(running) {
  const share = progressOf(running);
  const label = runningSentence(running);
  return h("p", { class: "running" },
    h("progress", { "aria-label": "Delivery", max: 1, value: share === undefined ? undefined : share.toFixed(3) }),
    ` ${label}`);
}
