// Dialogs: a question before something is lost, and content above the page.

import { h } from "./element.js";

let opened = 0;

/**
 * Shows content above the page, until it is closed.
 *
 * @param {string} title the heading
 * @param {Node[]} content the content
 * @param {{name?: string, onClose?: () => void}} [options]
 * @returns {{element: HTMLDialogElement, close: () => void}}
 */
export function openDialog(title, content, { name = "", onClose } = {}) {
  const before = document.activeElement;
  opened += 1;
  const id = `dialog-${opened}`;
  const heading = h("h2", { id, tabindex: "-1" }, title);
  const element = h("dialog", { class: name, "aria-labelledby": id },
    h("header", {}, heading,
      h("button", { type: "button", class: "close", "aria-label": "Close", on: { click: close } }, "×")),
    content);
  element.addEventListener("close", () => {
    // The focus goes back to where the person was, unless it is elsewhere already.
    const { activeElement } = document;
    const isFree = activeElement === document.body || element.contains(activeElement);
    element.remove();
    onClose?.();
    if (isFree) before?.focus?.();
  });
  function close() {
    element.close();
  }
  document.body.append(element);
  element.showModal();
  heading.focus();
  return { element, close };
}

/**
 * Asks a question; returns whether the answer was yes.
 *
 * @param {string} title the question
 * @param {(Node | string)[]} content the consequences
 * @param {string} yes the text of the button that agrees
 * @returns {Promise<boolean>}
 */
export function confirmDialog(title, content, yes) {
  return new Promise((resolve) => {
    let isAgreed = false;
    const agree = h("button", { type: "button", class: "primary", "data-answer": "yes" }, yes);
    const refuse = h("button", { type: "button", "data-answer": "no" }, "Cancel");
    const dialog = openDialog(title, [
      ...content.map((part) => (typeof part === "string" ? h("p", {}, part) : part)),
      h("div", { class: "buttons" }, refuse, agree),
    ], { name: "question", onClose: () => resolve(isAgreed) });
    agree.addEventListener("click", () => {
      isAgreed = true;
      dialog.close();
    });
    refuse.addEventListener("click", dialog.close);
  });
}
