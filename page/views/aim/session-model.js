// The session with its settings, as the API gives it, and the changes of it.

import { LatestSender } from "../../core/latest.js";
import { zoomWithin } from "../../core/controls.js";

/** The session's overview, kept current while the view is shown. */
export class SessionModel {
  /** @type {any} the answer of `GET /v1/session`; undefined before it */
  overview = undefined;
  #context;
  #listeners = [];
  #zoomSender;
  #wantedZoom;

  /**
   * @param {object} context the page's context
   * @param {AbortSignal} signal ends the following
   * @param {(error: Error | undefined, over?: Error) => void} onProblem called with a problem, or with
   *   one that is over
   */
  constructor(context, signal, onProblem) {
    this.#context = context;
    let failure;
    const read = async () => {
      try {
        await this.read();
        if (failure) onProblem(undefined, failure);
        failure = undefined;
      } catch (error) {
        failure = error;
        onProblem(error);
      }
    };
    context.store.on("open", read, signal);
    context.store.on("event", ({ kind }) => {
      if (["session", "configuration", "missed"].includes(kind)) read();
    }, signal);
    this.#zoomSender = new LatestSender((zoom) => this.change({ zoom }), (error) => {
      this.#wantedZoom = undefined;
      onProblem(error);
    });
    read();
  }

  /** Calls a listener after each change. */
  onChange(listener) {
    this.#listeners.push(listener);
  }

  /** Takes an answer that has the session. */
  take(overview) {
    this.overview = overview;
    for (const listener of this.#listeners) listener(overview);
  }

  /** Reads the session. */
  async read() {
    this.take(await this.#context.api.get("v1/session"));
  }

  /** Changes the session; refused as a whole with a sentence. */
  async change(change) {
    this.take(await this.#context.api.patch("v1/session", change));
  }

  /** Does something whose answer is the session. */
  async act(path, body) {
    this.take(await this.#context.api.post(path, body));
  }

  /** The zoom that is wanted last. */
  get zoom() {
    return this.#wantedZoom ?? this.overview?.controls?.zoom ?? this.overview?.settings.zoom ?? 1;
  }

  /** Sets the zoom, as fast as the rig follows. */
  async setZoom(zoom) {
    this.#wantedZoom = zoomWithin(zoom);
    await this.#zoomSender.offer(this.#wantedZoom);
    this.#wantedZoom = undefined;
  }
}
