// Controls that are seldom needed: the image, the camera, the size of pictures.

import { IMAGE_CONTROLS } from "../../core/controls.js";
import { actionButton, choice, showProblem } from "../../dom/action.js";
import { confirmDialog } from "../../dom/dialog.js";
import { facts, h, replace } from "../../dom/element.js";

/** Makes the controls of the image: a field each, empty for the camera's own value. */
export function imageControls(context, model, problem) {
  const body = h("div", {});
  model.onChange(({ controls, settings }) => {
    const image = controls?.image ?? settings.image ?? {};
    if (body.contains(document.activeElement)) return;
    if (!context.mayAct) {
      replace(body, facts(IMAGE_CONTROLS.map(({ key, name }) => [name, image[key] ?? "the camera's own"])));
      return;
    }
    replace(body, IMAGE_CONTROLS.map((control) => {
      const { range = "" } = context.declarations.settings.find(({ path }) => path === control.setting) ?? {};
      return imageField(control, range, image[control.key], model, problem);
    }));
  });
  return h("details", {}, h("summary", {}, "Image"), body);
}

/** The rig checks the value, and refuses one beyond the range with a sentence. */
function imageField({ key, name, step }, range, value, model, problem) {
  const input = h("input", { type: "number", step, value, placeholder: "camera's own" });
  input.addEventListener("change", async () => {
    showProblem(problem, undefined);
    try {
      await model.change({ image: { [key]: input.value === "" ? "own" : Number(input.value) } });
    } catch (error) {
      showProblem(problem, error);
    }
  });
  return h("label", { class: "field" }, h("span", {}, `${name} (${range})`), input);
}

const PRESETS = [["document", "1024x768"], ["1080p", "1920x1080"], ["full", "the camera's largest"]];
const FLICKERS = [["off", "Off"], ["50", "50 Hz"], ["60", "60 Hz"]];

/** Makes the choice of camera and size, which interrupts the session, and of the mains frequency. */
export function sizeControls(context, model, problem) {
  const body = h("div", {});
  const change = async (wanted, isInterrupting) => {
    showProblem(problem, undefined);
    try {
      const isAgreed = !isInterrupting || await confirmDialog("Interrupt the session?",
        ["No press is taken until the camera runs again."], "Change");
      if (isAgreed) await model.change(wanted);
      else await model.read();
    } catch (error) {
      showProblem(problem, error);
      await model.read().catch(() => {});
    }
  };
  model.onChange(({ settings, session, cameras }) => {
    const size = session.size && `${session.size.width}x${session.size.height}`;
    const shown = facts([
      ["Camera", session.camera?.model], ["Size", size], ["Format", session.pixelFormat],
      ["Frames a second", session.frameRate?.toFixed(1)],
    ]);
    if (!context.mayAct) return replace(body, shown);
    const presets = PRESETS.map(([key, text]) => [key, `${key} (${text})`]);
    if (settings.preset === "custom") presets.push(["custom", "custom"]);
    return replace(body, shown,
      cameras.length > 1 && choice("Camera", cameras.map((role) => [role, role]), settings.camera,
        (camera) => change({ camera }, true)),
      choice("Size", presets, settings.preset, (preset) => preset !== "custom" && change({ preset }, true)),
      choice("Mains frequency", FLICKERS, String(settings.flicker),
        (value) => change({ flicker: value === "off" ? "off" : Number(value) }, false)),
      sessionButtons(context, model, problem, session));
  });
  return h("details", {}, h("summary", {}, "Camera and size"), body);
}

/** The buttons that give the camera to another program and take it back. */
function sessionButtons(context, model, problem, session) {
  return h("div", { class: "buttons" }, session.state === "stopped"
    ? actionButton(context, {
      label: "Take the camera again", problem, work: () => model.act("v1/session/resume"),
    })
    : actionButton(context, {
      label: "Release the camera", problem,
      async work() {
        const isAgreed = await confirmDialog("Release the camera?",
          ["Another program can use the camera. No press is taken until it is taken again."], "Release");
        if (isAgreed) await model.act("v1/session/stop");
      },
    }));
}
