// The sign-in: the token is entered once, and the rig keeps a cookie that no script can read.

import { h, replace } from "../dom/element.js";
import { problemLine, showProblem } from "../dom/action.js";

/**
 * Asks for the token.
 *
 * @param {HTMLElement} root the place
 * @param {import("../core/api.js").API} api
 * @param {string | undefined} reason why a person has to sign in again
 * @param {() => void} onSignedIn
 */
export function showSignIn(root, api, reason, onSignedIn) {
  const problem = problemLine();
  const token = h("input", {
    id: "token", type: "password", autocomplete: "current-password", required: true, spellcheck: "false",
  });
  const button = h("button", { type: "submit", class: "primary" }, "Sign in");
  const form = h("form", { class: "sign-in", "aria-labelledby": "sign-in-title" },
    h("h1", { id: "sign-in-title" }, "Sign in"),
    reason && h("p", {}, reason),
    h("label", { for: "token" }, "Token"),
    token,
    h("p", { class: "hint" },
      "An administrator makes a token with \"platenctl token\". The page keeps no copy of it."),
    problem,
    button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    showProblem(problem, undefined);
    try {
      await api.post("v1/sign-in", { token: token.value.trim() });
      token.value = "";
      onSignedIn();
    } catch (error) {
      showProblem(problem, error);
      token.focus();
    } finally {
      button.disabled = false;
    }
  });
  replace(root, form);
  token.focus();
}
