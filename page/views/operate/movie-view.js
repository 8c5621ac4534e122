// The recording: its button, its time, and what is lost of it.

import { isGoingOn, movieSentence, recordedSeconds, recordingSentence } from "../../core/movie.js";
import { stopwatch } from "../../core/time.js";
import { actionButton, problemLine, showProblem } from "../../dom/action.js";
import { facts, h, panel, replace, setText } from "../../dom/element.js";

/** The quietest sound that its meter shows, in decibels below full scale. */
const QUIET = -60;

/** Makes the panel, which is hidden on a rig without recordings; follows the rig until a signal is aborted. */
export function movieView(context, signal) {
  const { api, store, codes } = context;
  const problem = problemLine();
  const state = h("p", { role: "status" });
  const time = h("span", { role: "timer" });
  const figures = h("div", {});
  const button = actionButton(context, {
    label: "Start recording", name: "record", problem,
    work: () => api.post(isGoingOn(store.rig.status.movie) ? "v1/movie/stop" : "v1/movie/start"),
  });
  const element = panel("Recording", "movie", state, figures, button, problem);
  let told;

  function show() {
    const movie = store.rig.status?.movie;
    element.hidden = !movie;
    if (!movie) return;
    setText(state, movieSentence(movie, codes));
    if (button) setText(button, isGoingOn(movie) ? "End recording" : "Start recording");
    replace(figures, isGoingOn(movie) && facts([
      ["Time", time], ["Frames dropped", String(movie.droppedFrames)], ["Sound", soundLevel(movie)],
    ]));
    tick();
    // A refusal may be of a recording that a button of the rig or another person wanted.
    const outcome = JSON.stringify(movie.last);
    if (outcome === told) return;
    told = outcome;
    showProblem(problem, movie.last?.outcome === "refused" ? recordingSentence(movie.last) : undefined);
  }

  /** The time goes on by itself, outside of what is read out. */
  function tick() {
    const { status, movieReadAt } = store.rig;
    if (status?.movie) setText(time, stopwatch(recordedSeconds(status.movie, movieReadAt, Date.now())));
  }

  const timer = setInterval(tick, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  store.on("change", show, signal);
  show();
  return element;
}

function soundLevel({ soundLevelDecibels: level }) {
  if (level === undefined) return undefined;
  return h("span", {},
    h("meter", { min: QUIET, max: 0, value: Math.max(QUIET, level), "aria-label": "Sound level" }), ` ${level.toFixed(0)} dB`);
}
