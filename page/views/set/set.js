// The view of the settings: the configuration file by its declarations, and its history.

import { matching, namedSettings, obstacleTo, settingsOf } from "../../core/settings.js";
import { problemLine, showProblem } from "../../dom/action.js";
import { facts, h, hasOpenForm, panel, replace } from "../../dom/element.js";
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

  const history = historyPanel(context, signal, () => {
    added.length = 0;
    return load();
  });
  const pending = new PendingChanges(context, () => file, async () => {
    await load();
    await history.load();
  }, (isAll) => {
    if (isAll) added.length = 0;
    return load({ keepsForms: true });
  });

  /** Reads the file; a form to keep leaves all as it is until the form is closed. */
  async function load({ keepsForms = false } = {}) {
    try {
      const read = await api.get("v1/configuration", {}, signal);
      isBehind = keepsForms && hasOpenForm(sections);
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
    const all = allSettings();
    const shown = matching(all, search.value);
    const isSearch = search.value.trim() !== "";
    const names = [...new Set(shown.map(({ section }) => section))];
    const open = new Set([...sections.querySelectorAll("details")]
      .filter((element) => element.open).map((element) => element.getAttribute("data-section")));
    found.textContent = isSearch ? `${shown.length} of ${all.length} settings` : "";
    replace(sections, names.map((name) => {
      const rows = shown.filter(({ section }) => section === name);
      const meaning = rows.find(({ key }) => key === name)?.declaration.meaning;
      const list = h("ul", { class: "setting-list" }, rowsOf(rows));
      return h("details", { "data-section": name, open: isSearch || open.has(name) },
        h("summary", {}, h("strong", {}, name), meaning && ` – ${meaning}`), list, adding(name, list));
    }));
  }

  function allSettings() {
    return settingsOf(declarations.settings, file.text, [...context.gathered.changes.keys(), ...added]);
  }

  function rowsOf(settings) {
    return settings.filter(({ declaration }) => declaration.type !== "section")
      .map((setting) => settingRow(context, setting, pending, catchUp));
  }

  /** Returns the form for a new name in a section, which is listed at the end; undefined where there is none to add. */
  function adding(section, list) {
    const named = context.mayAct && namedSettings(declarations.settings, section);
    if (!named) return undefined;
    const { parent, declaration } = named;
    const obstacle = obstacleTo(parent, declarations.settings, file.text);
    if (obstacle) return h("p", { class: "hint" }, obstacle);
    const known = () => allSettings().filter((one) => one.declaration === declaration).map(({ key }) => key.slice(parent.length + 1));
    return newNameForm(named, known, (name) => {
      const key = `${parent}.${name}`;
      added.push(key);
      const rows = rowsOf(allSettings().filter((one) => one.key.startsWith(`${key}.`)));
      for (const row of [...list.children]) if (row.getAttribute("data-key").startsWith(`${key}.`)) row.remove();
      list.append(...rows);
      rows[0].querySelector("button")?.focus();
      context.announce(`The settings of ${key} are listed.`);
      catchUp();
    }, catchUp);
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
