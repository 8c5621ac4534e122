// Elements made of plain values: no markup is ever parsed.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [kind, listener] of Object.entries(value)) element.addEventListener(kind, listener);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...known(children));
  return element;
}

/** Returns the children that are there, without gaps. */
function known(children) {
  return children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false);
}

/**
 * Makes an element of HTML.
 *
 * @param {string} tag the element's name
 * @param {object} [attributes] its attributes; `on` has the listeners by the kinds of events
 * @param {...(Node | string | undefined | null | false | Array)} children its content
 */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Makes an element of SVG. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Returns whether a person has begun a form; those of the class `fixed` are always there. */
export function hasOpenForm(root) {
  return [...root.querySelectorAll("form")].some((form) => !form.classList.contains("fixed"));
}

/** Returns the name by which an element is known to a person; new content with the same name takes its place. */
function nameOf(element) {
  const { parentElement: parent } = element;
  const label = parent?.tagName === "LABEL" ? parent.querySelector("span")?.textContent : undefined;
  return element.getAttribute("data-name") ?? element.getAttribute("aria-label") ?? label ?? element.textContent;
}

/**
 * Replaces the content of an element.
 *
 * The focus goes to what has the name of the element that had it. What was unfolded stays unfolded.
 */
export function replace(element, ...children) {
  const focused = document.activeElement;
  const hadFocus = focused && focused !== element && element.contains(focused);
  const name = hadFocus && nameOf(focused);
  const unfolded = [...element.querySelectorAll("details")].filter((one) => one.open)
    .map((one) => one.querySelector("summary")?.textContent);
  element.replaceChildren(...known(children));
  for (const one of element.querySelectorAll("details")) {
    if (unfolded.includes(one.querySelector("summary")?.textContent)) one.open = true;
  }
  if (!hadFocus || element.contains(focused) && document.activeElement === focused) return;
  const others = [...element.querySelectorAll(focused.tagName.toLowerCase())];
  const next = element.contains(focused) ? focused : others.find((other) => nameOf(other) === name);
  next?.focus({ preventScroll: true });
}

/**
 * Puts elements into an order, and leaves those that are in their place, so that the focus stays.
 *
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} elements the elements that the parent has afterwards
 */
export function arrange(parent, elements) {
  const kept = new Set(elements);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  elements.forEach((element, index) => {
    const present = parent.children[index];
    if (present !== element) parent.insertBefore(element, present ?? null);
  });
}

/** Sets the text of an element, only when it is another one, so that nothing is read out twice. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Returns a list of terms with their values; entries without a value are left out. */
export function facts(entries, attributes = {}) {
  const shown = entries.filter(([, value]) => value !== undefined && value !== "" && value !== null);
  return h("dl", { class: "facts", ...attributes },
    shown.map(([term, value]) => h("div", {}, h("dt", {}, term), h("dd", {}, value))));
}

/**
 * Returns a part of a view with its heading.
 *
 * @param {string} title the heading
 * @param {string} [name] the class of the part
 */
export function panel(title, name, ...children) {
  const id = `panel-${title.toLowerCase().replace(/[^a-z]+/g, "-")}`;
  return h("section", { class: `panel ${name ?? ""}`.trim(), "aria-labelledby": id },
    h("h2", { id }, title), children);
}
