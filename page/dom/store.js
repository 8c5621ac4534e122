// The page's knowledge of the rig, and those who are told when it changes.

import { BEGINNING, LEFT, connectionAfter } from "../core/connection.js";
import { followEvents } from "../core/event-stream.js";
import { Meanwhile } from "../core/meanwhile.js";
import { RigClock } from "../core/time.js";
import { TemperatureLog } from "../core/temperature-log.js";
import { UNKNOWN, needsStatus, rigAfter } from "../core/rig-state.js";
import { untilVisible, whenHiddenFor } from "./poll.js";

/** The time from an event that leaves counts behind to the next status. */
const STATUS_PAUSE = 500;
/** The time after which a hidden page ends its connection: a browser has six for all of its tabs. */
const HIDDEN_LIMIT = 30_000;
/** The time between two readings of the temperatures. */
const STATUS_INTERVAL = 30_000;

/** The rig's state, kept current by events while the page is open. */
export class RigStore {
  rig = UNKNOWN;
  connection = BEGINNING;
  /** @type {RigClock | undefined} */
  clock = undefined;
  temperatures = new TemperatureLog();
  /** The last events, the newest first: `{time, kind, data}`. */
  events = [];
  /** Those that need the events also while the page is hidden. */
  needs = new Set();
  #api;
  #listeners = { change: new Set(), event: new Set(), open: new Set(), history: new Set() };
  #statusTimer;
  /** The clock from before the connection. */
  #clockBefore;
  #meanwhile = new Meanwhile();
  #stop = new AbortController();

  /** @param {import("../core/api.js").API} api */
  constructor(api) {
    this.#api = api;
  }

  /**
   * Calls a listener until a signal is aborted.
   *
   * @param {"change" | "event" | "open" | "history"} kind any change; an event; a new connection;
   *   the temperatures of the last day
   * @param {(value?: any) => void} listener
   * @param {AbortSignal} signal
   */
  on(kind, listener, signal) {
    this.#listeners[kind].add(listener);
    signal.addEventListener("abort", () => this.#listeners[kind].delete(listener));
  }

  /** Calls the listeners; a failure of one keeps neither the others nor the events from going on. */
  #tell(kind, value) {
    for (const listener of [...this.#listeners[kind]]) {
      try {
        listener(value);
      } catch (error) {
        console.error(error);
      }
    }
  }

  /** Begins to follow the rig. */
  start() {
    const { signal } = this.#stop;
    const timer = setInterval(() => this.readStatus(), STATUS_INTERVAL);
    signal.addEventListener("abort", () => clearInterval(timer));
    followEvents({
      api: this.#api, signal,
      whenUnwanted: (leave) => whenHiddenFor(HIDDEN_LIMIT, () => {
        if (this.needs.size > 0) return;
        this.connection = LEFT;
        this.#tell("change");
        leave();
      }),
      untilWanted: untilVisible,
      onOpen: () => {
        this.connection = connectionAfter(this.connection, { opened: true }, Date.now());
        this.#tell("change");
        this.#clockBefore = this.clock;
        this.#readClock();
        this.readStatus();
        this.#tell("open");
      },
      onLost: (problem) => {
        this.connection = connectionAfter(this.connection, { lost: problem }, Date.now());
        this.#tell("change");
        // A rig that is there without its events still tells its status.
        if (this.connection.state !== "offline") this.readStatus();
      },
      onRestart: () => {
        // The rig may have booted, and its clock begun anew, which is read at each opening.
        if (this.clock === this.#clockBefore) this.clock = undefined;
        this.#note({ kind: "restart", data: {} });
      },
      onEvent: (event) => this.#take(event),
    });
  }

  /** Ends the following. */
  stop() {
    this.#stop.abort();
    clearTimeout(this.#statusTimer);
  }

  #take(event) {
    const time = this.#timeOf(event.data);
    this.#meanwhile.add({ event, time });
    this.rig = rigAfter(this.rig, event, time);
    if (event.kind === "thermal") this.temperatures.take(event.data.thermal, time);
    if (needsStatus(event.kind, event.data)) this.#readStatusSoon();
    this.#note(event);
    this.#tell("change");
  }

  /** Returns the time of an event, which may be repeated after a lost connection. */
  #timeOf({ timeNanoseconds: own }) {
    return own !== undefined && this.clock ? Math.min(this.clock.time(own), Date.now()) : Date.now();
  }

  #note({ kind, data }) {
    const time = this.#timeOf(data);
    this.events = [{ time, kind, data }, ...this.events].slice(0, 200);
    this.#tell("event", { time, kind, data });
  }

  #readStatusSoon() {
    this.#statusTimer ??= setTimeout(() => {
      this.#statusTimer = undefined;
      this.readStatus();
    }, STATUS_PAUSE);
  }

  /** Reads the whole status; a failure is left to the connection to tell. */
  async readStatus() {
    try {
      const [status, events] = await this.#meanwhile.during(this.#api.get("v1/status", {}, this.#stop.signal));
      const now = Date.now();
      const answered = { status, readAt: now, movieReadAt: now };
      this.rig = events.reduce((rig, { event, time }) => rigAfter(rig, event, time), answered);
      // The answer may be older than those events, or newer.
      if (this.rig !== answered) this.#readStatusSoon();
      this.temperatures.take(status.thermal, now);
      this.#tell("change");
    } catch {
      // The events have their own connection, which says whether the rig is there.
    }
  }

  async #readClock() {
    try {
      const before = Date.now();
      const time = await this.#api.get("v1/time", {}, this.#stop.signal);
      this.clock = new RigClock(time.monotonicNanoseconds, (before + Date.now()) / 2);
      this.#tell("change");
      this.temperatures.takeHistory(await this.#api.get("v1/history", {}, this.#stop.signal), this.clock);
      this.#tell("history");
    } catch {
      // Times are then those of their arrival, and temperatures those since the page was opened.
    }
  }
}
