// The view of the settings: the configuration file by its declarations, and its history.

import { matching, namedDeclaration, settingsOf } from "../../core/settings.js";
import { problemLine, showProblem } from "../../dom/action.js";
import { facts, h, panel, replace } from "../../dom/element.js";
import { PendingChanges } from "./pending-changes.js";
import { historyPanel } from "./history-panel.js";
import { newNameForm } from "./new-name.js";
import { settingRow } from "./setting-row.js";

/**
 * Shows the view until a signal is aborted.
 *
 * @param {HTMLElement} root the place
 * @param {object} context the page's context
 * @param {AbortSignal} signal
 */
export function showSet(root, context, signal) {
  const { api, store, declarations } = context;
  const problem = problemLine();
  const state = h("div", {});
  const sections = h("div", { class: "settings" });
  const search = h("input", { type: "search", id: "setting-search", on: { input: () => find() } });
  const found = h("p", { class: "hint", role: "status" });
  let file;
  /** Whether the file was read while a form was open, and is to be read again. */
  let isBehind = false;
  /** The keys of the names that were added in this view. */
  const added = [];

  const history = historyPanel(context, signal, () => load());
  const pending = new PendingChanges(context, () => file, async () => {
    await load();
    await history.load();
  }, () => load({ keepsForms: true }));

  /** Reads the file; a form to keep leaves all as it is until the form is closed. */
  async function load({ keepsForms = false } = {}) {
    try {
      const read = await api.get("v1/configuration", {}, signal);
      isBehind = keepsForms && Boolean(sections.querySelector(".change"));
      if (isBehind) return;
      file = read;
      showProblem(problem, undefined);
      showFile();
      showSettings();
    } catch (error) {
      if (!signal.aborted) showProblem(problem, error);
    }
  }

  function showFile() {
    replace(state,
      facts([
        ["File", file.path],
        ["State", file.isRunning === undefined ? undefined
          : file.isRunning ? "the service runs with this file" : "changed since the service started"],
      ]),
      file.issues.length > 0 && h("ul", { class: "problem" }, file.issues.map((issue) => h("li", {}, issue))),
      h("details", {}, h("summary", {}, "The file's text"),
        h("pre", { tabindex: "0", "aria-label": "Text of the configuration file" }, file.text)));
  }

  function showSettings() {
    if (!file) return;
    const all = settingsOf(declarations.settings, file.text, [...context.gathered.changes.keys(), ...added]);
    const shown = matching(all, search.value);
    const isSearch = search.value.trim() !== "";
    const names = [...new Set(shown.map(({ section }) => section))];
    const open = new Set([...sections.querySelectorAll("details")]
      .filter((element) => element.open).map((element) => element.getAttribute("data-section")));
    found.textContent = isSearch ? `${shown.length} of ${all.length} settings` : "";
    replace(sections, names.map((name) => {
      const rows = shown.filter(({ section }) => section === name);
      const meaning = rows.find(({ key }) => key === name)?.declaration.meaning;
      return h("details", { "data-section": name, open: isSearch || open.has(name) },
        h("summary", {}, h("strong", {}, name), meaning && ` – ${meaning}`),
        h("ul", { class: "setting-list" }, rows.filter(({ declaration }) => declaration.type !== "section")
          .map((setting) => settingRow(context, setting, pending, catchUp))),
        !isSearch && adding(name, rows));
    }));
  }

  /** Returns the form for a new name in a section; undefined where there is none to add. */
  function adding(section, rows) {
    const declaration = context.mayAct && namedDeclaration(declarations.settings, section);
    if (!declaration) return undefined;
    const known = rows.filter((row) => row.declaration === declaration).map(({ key }) => key.split(".").at(-1));
    return newNameForm(section, declaration, known, (name) => {
      const key = `${section}.${name}`;
      added.push(key);
      find();
      const row = [...sections.querySelectorAll(".setting")].find((one) => one.getAttribute("data-key").startsWith(`${key}.`));
      row?.querySelector("button")?.focus();
      context.announce(`The settings of ${key} are listed. Those whose default is "required" need a value.`);
    });
  }

  /** Reads the file again if that has waited for a form. */
  function catchUp() {
    if (isBehind) load({ keepsForms: true });
  }

  function find() {
    showSettings();
    catchUp();
  }

  store.on("open", () => load({ keepsForms: true }), signal);
  load({ keepsForms: true });
  replace(root,
    panel("Configuration", "", state, problem),
    pending.element,
    panel("Settings", "wide",
      h("p", {}, h("label", { for: "setting-search" }, "Find a setting"), " ", search), found, sections),
    history.element);
}
