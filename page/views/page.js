// The page as a whole: sign-in, navigation between the views, and the connection's state.

import { connectionAge, connectionSentence } from "../core/connection.js";
import { declarationsOf } from "../core/declarations.js";
import { h, hasOpenForm, replace, setText } from "../dom/element.js";
import { RigStore } from "../dom/store.js";
import { showAim } from "./aim/aim.js";
import { showOperate } from "./operate/operate.js";
import { showSet } from "./set/set.js";
import { showSignIn } from "./sign-in.js";
import { showWatch } from "./watch/watch.js";

/** The views in the order of the navigation. */
export const VIEWS = [
  { name: "aim", title: "Aim", show: showAim },
  { name: "operate", title: "Operate", show: showOperate },
  { name: "watch", title: "Watch", show: showWatch },
  { name: "set", title: "Set", show: showSet },
];

/** Returns the view of an address; the first time people look at what happens. */
export function viewOf(hash) {
  return VIEWS.find(({ name }) => `#${name}` === hash) ?? VIEWS[1];
}

/** The page. */
export class Page {
  #document;
  #window;
  #api;
  #store;
  #context;
  #view;
  #ageTimer;
  /** The rig's version when the page was loaded. */
  #version;

  /**
   * @param {Document} document
   * @param {Window} window
   * @param {(onSignedOut: () => void) => import("../core/api.js").API} makeAPI
   */
  constructor(document, window, makeAPI) {
    this.#document = document;
    this.#window = window;
    this.#api = makeAPI(() => this.#askForToken("The rig no longer knows you. Sign in again."));
  }

  #element(id) {
    return this.#document.getElementById(id);
  }

  /** Shows the sign-in or the views, as the rig knows the caller or not. */
  async start() {
    this.#window.addEventListener("hashchange", () => this.#showView());
    this.#element("skip").addEventListener("click", (event) => {
      event.preventDefault();
      this.#element("view").focus();
    });
    await this.#begin();
  }

  /** @param {string} [refusal] the sentence for a rig that does not know the caller */
  async #begin(refusal) {
    try {
      const who = await this.#api.get("v1/sign-in");
      const report = await this.#api.get("v1/declarations");
      this.#enter(who, declarationsOf(report));
    } catch (problem) {
      if (problem.status === 401) return this.#askForToken(refusal);
      this.#tellConnection(problem.message);
      this.#window.setTimeout(() => this.#begin(refusal), 3000);
    }
  }

  #askForToken(reason) {
    this.#leave();
    replace(this.#element("bar"), h("h1", { class: "name" }, "Platen"));
    showSignIn(this.#element("view"), this.#api, reason,
      () => this.#begin("The browser has not kept the sign-in. Allow cookies for this page, and sign in again."));
  }

  #enter(who, declarations) {
    this.#leave();
    this.#tellConnection(undefined);
    this.#store = new RigStore(this.#api);
    this.#context = {
      api: this.#api,
      store: this.#store,
      declarations,
      codes: declarations.codes,
      who,
      mayAct: who.permissions.includes("act"),
      gathered: { changes: new Map(), hash: undefined },
      announce: (text) => setText(this.#element("announcer"), text),
    };
    this.#showBar();
    this.#store.on("change", () => this.#tellState(), new AbortController().signal);
    this.#ageTimer = this.#window.setInterval(() => this.#tellState(), 1000);
    this.#store.start();
    this.#showView();
  }

  #leave() {
    this.#endView();
    this.#store?.stop();
    this.#store = undefined;
    this.#context = undefined;
    this.#window.clearInterval(this.#ageTimer);
  }

  #endView() {
    this.#view?.abort();
    this.#view = undefined;
    // A dialog belongs to the view that has opened it.
    for (const dialog of this.#document.querySelectorAll("dialog")) dialog.close();
  }

  #showBar() {
    const { who, mayAct } = this.#context;
    const links = VIEWS.map(({ name, title }) => h("a", { href: `#${name}`, "data-view": name }, title));
    replace(this.#element("bar"),
      h("p", { class: "name" }, h("span", { id: "rig-name" }, "Platen")),
      h("nav", { "aria-label": "Views" }, links),
      h("p", { class: "who" },
        h("span", {}, [who.name, !mayAct && "may look"].filter(Boolean).join(", ")),
        h("button", { type: "button", class: "quiet", on: { click: () => this.#signOut() } }, "Sign out")));
  }

  async #signOut() {
    try {
      await this.#api.post("v1/sign-out");
    } catch (problem) {
      this.#context?.announce(problem.message);
      if (problem.isOffline) return;
    }
    // Who comes over the rig's socket is known without a sign-in, and stays.
    this.#leave();
    await this.#begin();
  }

  #showView() {
    if (!this.#context) return;
    const view = viewOf(this.#window.location.hash);
    this.#endView();
    this.#view = new AbortController();
    const isFirst = !this.#document.title.includes("·");
    this.#document.title = `${view.title} · Platen`;
    for (const link of this.#element("bar").querySelectorAll("a")) {
      if (link.getAttribute("data-view") === view.name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const heading = h("h1", { tabindex: "-1" }, view.title);
    const body = h("div", { class: `view ${view.name}` });
    replace(this.#element("view"), heading, body);
    view.show(body, this.#context, this.#view.signal);
    if (!isFirst) heading.focus();
  }

  #tellState() {
    if (!this.#store) return;
    const { connection, rig } = this.#store;
    if (rig.status) {
      setText(this.#element("rig-name"), rig.status.rig);
      this.#followVersion(rig.status.version);
    }
    const sentence = connectionSentence(connection);
    this.#tellConnection(sentence, sentence && connectionAge(connection, Date.now()));
    this.#document.body.classList.toggle("is-offline", connection.state === "offline");
  }

  /** Loads the page of a new version of the rig, as soon as nothing is lost that a person has begun. */
  #followVersion(version) {
    this.#version ??= version;
    if (version === this.#version) return;
    const hasBegun = this.#context.gathered.changes.size > 0 || this.#document.querySelector("dialog")
      || hasOpenForm(this.#document);
    if (hasBegun) return;
    this.#version = version;
    this.#window.location.reload();
  }

  /** The sentence is read out once; its age changes each second beside it, silently. */
  #tellConnection(sentence, age = "") {
    const place = this.#element("connection");
    place.hidden = !sentence;
    if (!sentence) {
      place.removeAttribute("data-sentence");
      replace(place);
      return;
    }
    if (place.getAttribute("data-sentence") !== sentence) {
      place.setAttribute("data-sentence", sentence);
      replace(place, h("span", {}, sentence), " ", h("span", { class: "age", "aria-hidden": "true" }));
    }
    setText(place.lastElementChild, age ? `Lost ${age}; trying again.` : "Trying again.");
  }
}
