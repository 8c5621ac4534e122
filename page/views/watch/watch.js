// The view to watch the rig by.

import { replace } from "../../dom/element.js";
import { doctorPanel } from "./doctor-panel.js";
import { eventsPanel } from "./events-panel.js";
import { heatPanel } from "./heat-panel.js";
import { interruptionsPanel } from "./interruptions-panel.js";
import { pressesPanel } from "./presses-panel.js";
import { queuePanel } from "./queue-panel.js";
import { targetsPanel } from "./targets-panel.js";

/**
 * Shows the view until a signal is aborted.
 *
 * @param {HTMLElement} root the place
 * @param {object} context the page's context
 * @param {AbortSignal} signal
 */
export function showWatch(root, context, signal) {
  replace(root,
    queuePanel(context, signal), targetsPanel(context, signal), heatPanel(context, signal),
    pressesPanel(context, signal), interruptionsPanel(context, signal), doctorPanel(context, signal),
    eventsPanel(context, signal));
}
