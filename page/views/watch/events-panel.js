// The events as they come.

import { eventSentence } from "../../core/event-words.js";
import { clockTime } from "../../core/time.js";
import { toggleButton } from "../../dom/action.js";
import { h, panel, replace } from "../../dom/element.js";

const SHOWN = 100;

/** Makes the panel; follows the rig until a signal is aborted. */
export function eventsPanel({ store }, signal) {
  const list = h("ol", { class: "events", tabindex: "0", "aria-label": "Events, the newest first" });
  const empty = h("p", { class: "hint" }, "Nothing has happened since the page was opened.");
  let isHeld = false;

  function show() {
    if (isHeld) return;
    const told = store.events
      .map((event) => ({ ...event, text: event.kind === "restart" ? "The rig has restarted." : eventSentence(event) }))
      .filter(({ text }) => text)
      .slice(0, SHOWN);
    empty.hidden = told.length > 0;
    replace(list, told.map(({ time, kind, text }) => h("li", { "data-kind": kind },
      h("time", {}, clockTime(time)), " ", text)));
  }

  store.on("event", show, signal);
  show();
  return panel("Events", "", h("div", { class: "buttons" }, toggleButton("Hold still", false, (isOn) => {
    isHeld = isOn;
    show();
  })), empty, list);
}
