// A picture as it was stored: whole, or one to one; and its retake.

import { caption, marksOf } from "../../core/pictures.js";
import { actionButton, problemLine, toggleButton } from "../../dom/action.js";
import { confirmDialog, openDialog } from "../../dom/dialog.js";
import { h, replace, setText } from "../../dom/element.js";
import { shoot } from "./shutter.js";

/**
 * Opens a picture above the page.
 *
 * @param {object} context the page's context
 * @param {() => object[]} pictures the pictures that are shown, the newest first
 * @param {string} id the picture's ID
 * @param {() => Promise<void>} reload reads the pictures again
 */
export function openPicture(context, pictures, id, reload) {
  let current = id;
  let isClosed = false;
  const image = h("img", { alt: "" });
  const frame = h("div", { class: "picture-frame", tabindex: "0", role: "group", "aria-label": "Picture" }, image);
  const title = h("p", { class: "picture-title", role: "status" });
  const problem = problemLine();
  const actual = toggleButton("One to one", false, (isOn) => {
    frame.classList.toggle("is-actual", isOn);
    fit();
    frame.focus();
  });
  const newer = h("button", { type: "button", on: { click: () => step(-1) } }, "Newer");
  const older = h("button", { type: "button", on: { click: () => step(1) } }, "Older");
  image.addEventListener("load", () => fit());
  image.addEventListener("error", () => {
    setText(problem, "The picture's file is no longer on the rig, or has a form that the browser does not show.");
  });

  /** One pixel of the picture is one of the screen; the picture's size is known once it is loaded. */
  function fit() {
    const isActual = frame.classList.contains("is-actual") && image.naturalWidth > 0;
    image.style.width = isActual ? `${image.naturalWidth / (globalThis.devicePixelRatio || 1)}px` : "";
  }

  function show() {
    const all = pictures();
    const index = all.findIndex((picture) => picture.id === current);
    const picture = all[index];
    if (!picture) return;
    setText(problem, picture.isOnRig ? "" : "The picture's file is no longer on the rig.");
    image.setAttribute("alt", caption(picture, picture.time));
    if (picture.isOnRig) image.setAttribute("src", context.api.address(`v1/spool/items/${picture.id}/image`));
    else image.removeAttribute("src");
    replace(title, [caption(picture, picture.time), ...marksOf(picture, all)].join("; "));
    newer.disabled = index === 0;
    older.disabled = index === all.length - 1;
  }

  function step(by) {
    const all = pictures();
    const next = all[all.findIndex((picture) => picture.id === current) + by];
    if (!next) return;
    current = next.id;
    if (actual.getAttribute("aria-pressed") === "true") actual.click();
    show();
  }

  /** Takes another picture, and deletes the files of the earlier press when the new one is stored. */
  async function retake() {
    const isAgreed = await confirmDialog("Take this picture again?", [
      "When the new picture is stored, the earlier one is deleted, unless it has been uploaded.",
    ], "Take again");
    if (!isAgreed) return;
    // The rig's button may have been pressed meanwhile. A retake replaces the last picture only.
    const all = pictures();
    const { press } = all.find((picture) => picture.id === current) ?? {};
    const earlier = all.filter((picture) => picture.press === press);
    const report = await shoot(context, all[0]?.press === press ? { retake: true } : undefined).catch((error) => {
      // Without the dialog nobody sees its problem.
      if (isClosed) context.announce(error.message);
      throw error;
    });
    current = report.itemID ?? current;
    try {
      const isUploaded = earlier.some(({ receipt }) => receipt);
      for (const { id } of earlier.filter(({ isOnRig }) => isOnRig && !isUploaded)) {
        await context.api.delete(`v1/spool/items/${id}`, { confirm: id });
      }
    } finally {
      await reload();
      show();
    }
  }

  const dialog = openDialog("Picture", [
    title, frame, problem,
    h("div", { class: "buttons" }, newer, older, actual,
      actionButton(context, { label: "Retake…", busy: "Taking…", problem, work: retake })),
  ], { name: "viewer", onClose: () => { isClosed = true; } });
  dialog.element.addEventListener("keydown", (event) => {
    // In a picture that is larger than its frame the arrow keys scroll.
    if (frame.classList.contains("is-actual")) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
  show();
}
