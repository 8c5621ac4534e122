// The page as a whole: sign-in, navigation, and the loading of a new version.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSWERS, STATUS, fakeAPI, settle } from "./support/rig.mjs";
import { button, document, shown, stop } from "./support/view.mjs";
import { PAUSES } from "../../../page/core/event-stream.js";
import { Page, viewOf } from "../../../page/views/page.js";
import { showSignIn } from "../../../page/views/sign-in.js";

const WINDOW = {
  location: { hash: "#watch" }, addEventListener() {}, setTimeout: () => 0, setInterval: () => 0, clearInterval() {},
};

/** Makes the page as index.html has it. */
function frame() {
  for (const [tag, id] of [["header", "bar"], ["p", "connection"], ["main", "view"], ["p", "announcer"], ["a", "skip"]]) {
    const element = document.createElement(tag);
    element.setAttribute("id", id);
    document.body.append(element);
  }
}

test("a stranger is asked for the token, and then sees the views", async () => {
  frame();
  const unknown = Response.json({ error: { code: "unauthenticated", message: "Who?" } }, { status: 401 });
  const answers = { ...ANSWERS, "GET v1/sign-in": unknown };
  let requests;
  const page = new Page(document, WINDOW, (onSignedOut) => {
    const made = fakeAPI(answers, onSignedOut);
    requests = made.requests;
    return made.api;
  });
  await page.start();
  document.getElementById("token").value = " platen_x ";
  answers["GET v1/sign-in"] = ANSWERS["GET v1/sign-in"];
  document.body.querySelector("form").dispatch("submit");
  await settle();
  assert.deepEqual(requests.find(({ path }) => path === "POST v1/sign-in").body, { token: "platen_x" });
  assert.equal(document.title, "Watch · Platen");
  const current = document.querySelectorAll("a").filter((link) => link.getAttribute("aria-current") === "page");
  assert.deepEqual(current.map((link) => link.textContent), ["Watch"]);
  button(document.body, "Sign out").click();
  await settle();
  assert.ok(!document.getElementById("token"), "who is known without a sign-in stays");
  answers["GET v1/sign-in"] = unknown;
  button(document.body, "Sign out").click();
  await settle();
  assert.ok(document.getElementById("token"), "the sign-in is shown again");
});

test("gathered changes outlast another view, and the page of a new version is loaded when they are written", async () => {
  frame();
  let reloads = 0;
  const location = { hash: "#set", reload: () => { reloads += 1; } };
  const listeners = {};
  const window = {
    ...WINDOW, location, addEventListener: (kind, listener) => { listeners[kind] = listener; },
  };
  const waiting = [];
  const { setTimeout: later } = globalThis;
  globalThis.setTimeout = (work, delay) => { waiting.push({ work, delay }); };
  stop.signal.addEventListener("abort", () => { globalThis.setTimeout = later; });
  /** Makes the connection to the events anew, after which the page reads the status. */
  async function reconnect() {
    for (const { work } of waiting.splice(0).filter(({ delay }) => delay === PAUSES.shortest)) work();
    await settle();
  }
  const answers = { ...ANSWERS, "GET v1/events": new Response(": listening\n\n") };
  const page = new Page(document, window, (onSignedOut) => fakeAPI(answers, onSignedOut).api);
  await page.start();
  await settle();
  const row = () => document.body.querySelector("[data-key=\"camera.frame_rate\"]");
  button(row(), "Change camera.frame_rate").click();
  row().querySelector("input").value = "25";
  button(row(), "Add to the changes").click();
  for (const hash of ["#aim", "#set"]) {
    location.hash = hash;
    listeners.hashchange();
    await settle();
  }
  assert.match(document.querySelector(".pending").textContent, /1 change to be written.*camera\.frame_rate/s);
  assert.equal(reloads, 0);
  answers["GET v1/status"] = { ...STATUS, version: "0.2.0" };
  await reconnect();
  assert.equal(reloads, 0, "the page is loaded while changes wait");
  button(document.body, "Drop all").click();
  await settle();
  button(row(), "Change camera.frame_rate").click();
  await reconnect();
  assert.equal(reloads, 0, "the page is loaded while a form is open");
  button(row(), "Cancel").click();
  await reconnect();
  await reconnect();
  assert.equal(reloads, 1, "the page of the new version is loaded once");
  answers["GET v1/sign-in"] = Response.json({ error: { code: "unauthenticated", message: "Who?" } }, { status: 401 });
  button(document.body, "Sign out").click();
  await settle();
});

test("a browser that keeps no cookie is told why the token is asked for again", async () => {
  frame();
  const unknown = Response.json({ error: { code: "unauthenticated", message: "Who?" } }, { status: 401 });
  const page = new Page(document, WINDOW, (onSignedOut) => fakeAPI({ ...ANSWERS, "GET v1/sign-in": unknown }, onSignedOut).api);
  await page.start();
  assert.doesNotMatch(document.body.textContent, /cookies/);
  document.getElementById("token").value = "platen_x";
  document.body.querySelector("form").dispatch("submit");
  await settle();
  assert.match(document.body.textContent, /The browser has not kept the sign-in\. Allow cookies/);
});

test("a wrong token is told in the words of the rig", async () => {
  const wrong = Response.json({ error: { code: "unauthenticated", message: "The token is not one of this rig's." } }, { status: 401 });
  const { api } = fakeAPI({ "POST v1/sign-in": wrong });
  const root = document.createElement("main");
  document.body.append(root);
  showSignIn(root, api, undefined, assert.fail);
  root.querySelector("form").dispatch("submit");
  await settle();
  assert.equal(root.querySelector(".problem").textContent, "The token is not one of this rig's.");
});

test("an address names a view, and any other shows what happens", () => {
  assert.deepEqual(["#aim", "#set", "", "#view"].map((hash) => viewOf(hash).name), ["aim", "set", "operate", "operate"]);
});

test("a dialog ends with the view that has opened it", async () => {
  frame();
  const location = { hash: "#operate" };
  const listeners = {};
  const window = { ...WINDOW, location, addEventListener: (kind, listener) => { listeners[kind] = listener; } };
  const answers = { ...ANSWERS };
  const page = new Page(document, window, (onSignedOut) => fakeAPI(answers, onSignedOut).api);
  await page.start();
  await settle();
  document.querySelector(".tile").click();
  assert.ok(document.querySelector("dialog"));
  location.hash = "#watch";
  listeners.hashchange();
  assert.equal(document.querySelector("dialog"), null);
  answers["GET v1/sign-in"] = Response.json({ error: { code: "unauthenticated", message: "Who?" } }, { status: 401 });
  button(document.body, "Sign out").click();
  await settle();
});
