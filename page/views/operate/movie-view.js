// The recording: its buttons, its time, its sound, and what is lost of it.

import {
  canBePaused, isGoingOn, movieSentence, recordedSeconds, recordingSentence,
} from "../../core/movie.js";
import { stopwatch } from "../../core/time.js";
import { sentence } from "../../core/words.js";
import { actionButton, problemLine, showProblem } from "../../dom/action.js";
import { arrange, facts, h, panel, replace, setText } from "../../dom/element.js";

/** The quietest sound that its meter shows, in decibels below full scale. */
const QUIET = -60;

/** Makes the panel, which is hidden on a rig without recordings; follows the rig until a signal is aborted. */
export function movieView(context, signal) {
  const { api, store, codes } = context;
  const problem = problemLine();
  const state = h("p", { role: "status" });
  const time = h("span", { role: "timer" });
  const figures = h("div", {});
  const buttons = h("div", { class: "buttons" });
  const record = actionButton(context, {
    label: "Start recording", name: "record", problem,
    work: () => api.post(isGoingOn(store.rig.status.movie) ? "v1/movie/stop" : "v1/movie/start"),
  });
  const pause = actionButton(context, {
    label: "Pause recording", name: "pause", problem,
    work: () => api.post(store.rig.status.movie.state === "paused" ? "v1/movie/resume" : "v1/movie/pause"),
  });
  const element = panel("Recording", "movie", state, figures, buttons, problem);
  let told;

  function show() {
    const movie = store.rig.status?.movie;
    element.hidden = !movie;
    if (!movie) return;
    setText(state, movieSentence(movie, codes));
    if (context.mayAct) showButtons(movie);
    replace(figures, isGoingOn(movie) && facts([
      ["Time", time], ["Frames dropped", String(movie.droppedFrames)], ["Sound", soundOf(movie)],
    ]));
    tick();
    // A refusal may be of a recording that a button of the rig or another person wanted.
    const outcome = JSON.stringify(movie.last);
    if (outcome === told) return;
    told = outcome;
    showProblem(problem, movie.last?.outcome === "refused" ? recordingSentence(movie.last) : undefined);
  }

  /** The buttons stay in their places, so that the focus stays on them. */
  function showButtons(movie) {
    setText(record, isGoingOn(movie) ? "End recording" : "Start recording");
    setText(pause, movie.state === "paused" ? "Resume recording" : "Pause recording");
    arrange(buttons, canBePaused(movie) ? [record, pause] : [record]);
  }

  /** The time goes on by itself, outside of what is read out. */
  function tick() {
    const { status, movieReadAt } = store.rig;
    // Nobody knows whether a recording goes on while the rig does not answer.
    const { state: connection, since } = store.connection;
    const until = connection === "offline" ? since : Date.now();
    if (status?.movie) setText(time, stopwatch(recordedSeconds(status.movie, movieReadAt, until)));
  }

  const timer = setInterval(tick, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  store.on("change", show, signal);
  show();
  return element;
}

/** Returns the reason that the sound has ended, or its level; undefined without sound. */
function soundOf({ soundLevelDecibels: level, soundEnd }) {
  if (soundEnd) return sentence(soundEnd);
  if (level === undefined) return undefined;
  return h("span", {},
    h("meter", { min: QUIET, max: 0, value: Math.max(QUIET, level), "aria-label": "Sound level" }), ` ${level.toFixed(0)} dBFS`);
}
