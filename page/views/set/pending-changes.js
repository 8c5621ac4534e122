// Changes of settings that wait to be written together: all of them, or none.

import { yamlOf } from "../../core/settings.js";
import { counted } from "../../core/words.js";
import { actionButton, problemLine } from "../../dom/action.js";
import { h, replace } from "../../dom/element.js";
import { restartButton, changedLines } from "./written.js";

/** The changes that a person has gathered. */
export class PendingChanges {
  element = h("section", { class: "pending", "aria-label": "Changes", hidden: true });
  /** The changes by their keys, and the hash of the file that they were gathered from; they outlast the view. */
  #gathered;
  #context;
  #file;
  #onWritten;
  #onDropped;

  /**
   * @param {object} context the page's context
   * @param {() => {hash: string}} file the file as it was read last
   * @param {() => Promise<void>} onWritten called when the file was written
   * @param {(isAll: boolean) => void} onDropped called when the last change was dropped, alone or with all others
   */
  constructor(context, file, onWritten, onDropped) {
    this.#context = context;
    this.#gathered = context.gathered;
    this.#file = file;
    this.#onWritten = onWritten;
    this.#onDropped = onDropped;
    this.#gathered.shown = this;
    if (this.#changes.size > 0) this.#show();
  }

  get #changes() {
    return this.#gathered.changes;
  }

  /** Returns the new value of a key as it was typed; undefined for an unchanged one. */
  valueOf(key) {
    return this.#changes.get(key)?.text;
  }

  /** Adds a change, and replaces an earlier one of the same key. */
  set(key, text, declaration, before) {
    if (this.#changes.size === 0) this.#gathered.hash = this.#file().hash;
    this.#changes.set(key, { text, before, yaml: yamlOf(declaration, text) });
    this.#show();
    this.#context.announce(`${counted(this.#changes.size, "change")} to be written.`);
  }

  #show() {
    const problem = problemLine();
    this.element.hidden = this.#changes.size === 0;
    replace(this.element,
      h("h2", {}, `${counted(this.#changes.size, "change")} to be written`),
      h("ul", {}, [...this.#changes].map(([key, { text, before }]) => h("li", {},
        h("code", {}, key), `: ${before ?? "not set"} → `, h("strong", {}, text), " ",
        h("button", {
          type: "button", class: "quiet", "aria-label": `Drop the change of ${key}`,
          on: { click: () => this.#drop(key) },
        }, "Drop")))),
      h("p", { class: "hint" }, "The rig checks the whole file first, and writes all changes or none."),
      problem,
      h("div", { class: "buttons" },
        actionButton(this.#context, {
          label: "Check and write", busy: "Checking…", name: "primary", problem, work: () => this.#write(),
        }),
        h("button", { type: "button", on: { click: () => this.#drop() } }, "Drop all")));
  }

  #drop(key) {
    if (key) this.#changes.delete(key);
    else this.#changes.clear();
    this.#show();
    if (this.#changes.size === 0) this.#onDropped(key === undefined);
  }

  async #write() {
    const sent = new Map(this.#changes);
    const set = Object.fromEntries([...sent].map(([key, { yaml }]) => [key, yaml]));
    const report = await this.#context.api.patch("v1/configuration", { set, ifHash: this.#gathered.hash });
    // Others may have been gathered meanwhile, also in a view that has taken the place of this one.
    for (const [key, change] of sent) if (this.#changes.get(key) === change) this.#changes.delete(key);
    this.#gathered.hash = report.hash;
    this.#context.announce(report.note);
    const { shown } = this.#gathered;
    shown.#show();
    await shown.#onWritten();
    if (this.#changes.size > 0) return;
    const problem = problemLine();
    replace(this.element,
      h("h2", {}, "Written"), h("p", { role: "status" }, report.note), changedLines(report.lines),
      problem, report.needsRestart && restartButton(this.#context, problem));
    this.element.hidden = false;
  }
}
