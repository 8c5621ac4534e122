// The last pictures as they were stored.

import { Meanwhile } from "../../core/meanwhile.js";
import { SHOWN_PICTURES, caption, marksOf, picturesAfter } from "../../core/pictures.js";
import { clockTime } from "../../core/time.js";
import { problemLine, showProblem } from "../../dom/action.js";
import { arrange, h, panel, replace } from "../../dom/element.js";
import { openPicture } from "./viewer.js";

/** Makes the gallery; follows the rig until a signal is aborted. */
export function galleryView(context, signal) {
  const { api, store } = context;
  const problem = problemLine();
  const list = h("ul", { class: "gallery" });
  const empty = h("p", { class: "hint" }, "No picture has been stored yet.");
  /** The elements of pictures by their IDs, so that a thumbnail is loaded once. */
  const tiles = new Map();
  const meanwhile = new Meanwhile();
  let pictures = [];

  async function load() {
    try {
      const [{ presses }, later] = await meanwhile.during(
        api.get("v1/presses", { limit: SHOWN_PICTURES, outcome: "stored" }, signal));
      pictures = [...presses, ...later].reduce(picturesAfter, []);
      showProblem(problem, undefined);
      show();
    } catch (error) {
      if (!signal.aborted) showProblem(problem, error);
    }
  }

  function show() {
    const shown = new Set(pictures.map(({ id }) => id));
    for (const id of tiles.keys()) if (!shown.has(id)) tiles.delete(id);
    arrange(list, pictures.map((picture) => {
      const tile = tiles.get(picture.id) ?? makeTile(picture);
      tiles.set(picture.id, tile);
      tile.update(picture);
      return tile.element;
    }));
    empty.hidden = pictures.length > 0;
  }

  function makeTile(first) {
    const image = h("img", { alt: "", loading: "lazy", decoding: "async" });
    const text = h("span", { class: "caption" });
    const marks = h("span", { class: "marks" });
    let current = first;
    const open = h("button", {
      type: "button", class: "tile",
      on: { click: () => openPicture(context, () => pictures, current.id, load) },
    }, image, text, marks);
    const element = h("li", {}, open);
    const files = first.isOnRig ? ["thumbnail", "image"] : [];
    /** Without a thumbnail the whole picture is scaled. */
    const loadNext = () => {
      const file = files.shift();
      if (file) image.setAttribute("src", api.address(`v1/spool/items/${first.id}/${file}`));
      else element.classList.add("has-no-thumbnail");
    };
    image.addEventListener("error", loadNext);
    loadNext();
    return {
      element,
      update(picture) {
        current = picture;
        replace(text, caption(picture, picture.time && clockTime(Date.parse(picture.time))));
        replace(marks, marksOf(picture, pictures).map((mark) => h("span", { class: "mark" }, mark)));
      },
    };
  }

  store.on("open", load, signal);
  store.on("event", ({ kind, data }) => {
    if (kind === "missed") load();
    if (kind !== "press") return;
    meanwhile.add(data.press);
    const after = picturesAfter(pictures, data.press);
    if (after === pictures) return;
    pictures = after;
    show();
  }, signal);
  load();
  return panel("Last pictures", "last-pictures", problem, empty, list);
}
