// The view of the settings: the configuration file by its declarations, and its history.

import { matching, settingsOf } from "../../core/settings.js";
import { problemLine, showProblem } from "../../dom/action.js";
import { facts, h, panel, replace } from "../../dom/element.js";
import { PendingChanges } from "./pending-changes.js";
import { historyPanel } from "./history-panel.js";
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

  const history = historyPanel(context, signal, () => load());
  const pending = new PendingChanges(context, () => file, async () => {
    await load();
    await history.load();
  }, () => load({ keepsForms: true }));

  /** Reads the file; a form to keep leaves all as it is until the form is closed. */
  async function load({ keepsForms = false } = {}) {
    try {
      const read = await api.get("v1/configuration", {}, signal);
      isBehind = keepsForms && Boolean(sections.querySelector("form"));
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
    const all = settingsOf(declarations.settings, file.text);
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
          .map((setting) => settingRow(context, setting, pending, catchUp))));
    }));
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
