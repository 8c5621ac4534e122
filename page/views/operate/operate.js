// The view to take pictures by.

import { h, replace, setText } from "../../dom/element.js";
import { countdownView } from "./countdown.js";
import { galleryView } from "./gallery.js";
import { movieView } from "./movie-view.js";
import { readinessView } from "./readiness-view.js";
import { shutterView } from "./shutter.js";
import { warningView } from "./warning-view.js";

/**
 * Shows the view until a signal is aborted.
 *
 * @param {HTMLElement} root the place
 * @param {object} context the page's context
 * @param {AbortSignal} signal
 */
export function showOperate(root, context, signal) {
  const { store } = context;
  const counts = h("p", { class: "hint" });

  function show() {
    const presses = store.rig.status?.presses;
    setText(counts, presses ? `Since the service started: ${presses.stored} stored, `
      + `${presses.refused} refused, ${presses.inFlight} on their way.` : "");
  }

  store.on("change", show, signal);
  show();
  replace(root,
    h("div", { class: "operate-top" }, readinessView(context, signal), shutterView(context, signal)),
    movieView(context, signal),
    countdownView(context, signal),
    warningView(context, signal),
    counts,
    galleryView(context, signal));
}
