// A view of the page in a document without a browser, for tests.

import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { installDocument } from "./document.mjs";
import { ANSWERS, DECLARATIONS, fakeAPI, settle } from "./rig.mjs";
import { VIEWS } from "../../../../page/views/page.js";
import { RigStore } from "../../../../page/dom/store.js";

/** The document of the test that runs. */
export let document;
/** The end of the test that runs. */
export let stop;

beforeEach(() => {
  document = installDocument();
  stop = new AbortController();
});
afterEach(() => stop.abort());

/** Shows a view to a person with some permissions. */
export async function shown(name, permissions = ["read", "act"], answers = ANSWERS) {
  const { api, requests } = fakeAPI(answers);
  const store = new RigStore(api);
  stop.signal.addEventListener("abort", () => store.stop());
  const said = [];
  const context = {
    api, store, declarations: DECLARATIONS, codes: DECLARATIONS.codes, who: { name: "builder", permissions },
    mayAct: permissions.includes("act"), announce: (text) => said.push(text),
    gathered: { changes: new Map(), hash: undefined },
  };
  const root = document.createElement("div");
  document.body.append(root);
  VIEWS.find((view) => view.name === name).show(root, context, stop.signal);
  await store.readStatus();
  await settle();
  assert.ok(!root.textContent.includes("[object"), `the view shows a value that is no text: ${root.textContent}`);
  return { root, requests, store, said, context };
}

export const buttons = (root) => root.querySelectorAll("button");
export const labelOf = (button) => button.getAttribute("aria-label") ?? button.textContent;
export const button = (root, label) => {
  const found = buttons(root).find((one) => one.textContent === label || labelOf(one) === label);
  assert.ok(found, `no button "${label}" among ${buttons(root).map(labelOf).join(" | ")}`);
  return found;
};

/** Returns an answer with reports of one kind as events. */
export const eventsOf = (kind, ...reports) => new Response(
  reports.map((report) => `event: ${kind}\ndata: ${JSON.stringify({ [kind]: report })}\n\n`).join(""));

/** Returns an answer with events that stays open, and what sends them and ends it. */
export function openStream() {
  let controller;
  const body = new ReadableStream({ start: (one) => { controller = one; } });
  return {
    answer: new Response(body), send: (text) => controller.enqueue(new TextEncoder().encode(text)), end: () => controller.close(),
  };
}

/** Runs work and returns the errors that were written to the console. */
export async function consoleErrors(work) {
  const real = console.error;
  const errors = [];
  console.error = (error) => errors.push(error.message);
  try {
    await work();
  } finally {
    console.error = real;
  }
  return errors;
}
