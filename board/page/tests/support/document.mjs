// A document for tests of the views: elements with attributes, children, text and listeners, without layout.

class FakeNode {
  parent = undefined;
}

class FakeText extends FakeNode {
  constructor(text) {
    super();
    this.data = text;
  }

  get textContent() {
    return this.data;
  }
}

class FakeStyle {
  setProperty(name, value) {
    this[name] = value;
  }
}

const DRAWING = {
  setTransform() {}, drawImage() {}, putImageData() {},
  getImageData: (x, y, width, height) => ({ data: new Uint8ClampedArray(width * height * 4) }),
};

/** Attributes that are properties of the same name, too. */
const REFLECTED = ["value", "hidden", "disabled", "open", "width", "height", "min", "max"];

class FakeElement extends FakeNode {
  childNodes = [];
  attributes = new Map();
  style = new FakeStyle();
  clientWidth = 640;
  #listeners = new Map();
  #properties = {};

  constructor(tag) {
    super();
    this.tagName = tag.toUpperCase();
    const element = this;
    this.classList = {
      contains: (name) => element.#classes().includes(name),
      add: (name) => element.classList.toggle(name, true),
      toggle(name, isOn) {
        const others = element.#classes().filter((other) => other !== name);
        element.setAttribute("class", (isOn ? [...others, name] : others).join(" "));
      },
    };
    for (const name of REFLECTED) {
      Object.defineProperty(this, name, {
        get: () => element.#reflected(name),
        set(value) {
          element.#properties[name] = value;
        },
      });
    }
  }

  #classes() {
    return (this.attributes.get("class") ?? "").split(" ").filter(Boolean);
  }

  #reflected(name) {
    if (name in this.#properties) return this.#properties[name];
    const attribute = this.attributes.get(name);
    if (["hidden", "disabled", "open"].includes(name)) return attribute !== undefined;
    if (name === "value" && this.tagName === "SELECT") {
      const options = this.querySelectorAll("option");
      return (options.find((option) => option.attributes.has("selected")) ?? options[0])?.value;
    }
    return ["width", "height"].includes(name) ? Number(attribute) : attribute ?? "";
  }

  append(...children) {
    for (const child of children) {
      const node = child instanceof FakeNode ? child : new FakeText(String(child));
      node.parent?.childNodes.splice(node.parent.childNodes.indexOf(node), 1);
      node.parent = this;
      this.childNodes.push(node);
    }
  }

  insertBefore(node, next) {
    node.remove();
    node.parent = this;
    this.childNodes.splice(next ? this.childNodes.indexOf(next) : this.childNodes.length, 0, node);
  }

  replaceChildren(...children) {
    for (const child of this.childNodes) child.parent = undefined;
    this.childNodes = [];
    this.append(...children);
  }

  remove() {
    this.parent?.childNodes.splice(this.parent.childNodes.indexOf(this), 1);
    this.parent = undefined;
  }

  get parentElement() {
    return this.parent;
  }

  get children() {
    return this.childNodes.filter((child) => child instanceof FakeElement);
  }

  get lastElementChild() {
    return this.children[this.children.length - 1];
  }

  get textContent() {
    return this.childNodes.map((child) => child.textContent).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text === "" ? [] : [text]));
  }

  setAttribute(name, value) {
    if (name === "style") throw new Error("the policy of the page forbids the attribute style");
    if (name.startsWith("on")) throw new Error(`the policy of the page forbids the attribute ${name}`);
    if (typeof value !== "string") throw new Error(`the attribute ${name} is no text`);
    this.attributes.set(name, value);
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  addEventListener(kind, listener) {
    if (!this.#listeners.has(kind)) this.#listeners.set(kind, []);
    this.#listeners.get(kind).push(listener);
  }

  dispatch(kind, more = {}) {
    const event = { type: kind, target: this, preventDefault() {}, ...more };
    return (this.#listeners.get(kind) ?? []).map((listener) => listener(event));
  }

  click() {
    const answers = this.dispatch("click");
    if (this.tagName === "BUTTON" && this.getAttribute("type") === "submit") {
      this.#ancestor("FORM")?.dispatch("submit");
    }
    return Promise.all(answers);
  }

  #ancestor(tag) {
    let at = this.parent;
    while (at && at.tagName !== tag) at = at.parent;
    return at;
  }

  focus() {
    globalThis.document.activeElement = this;
  }

  contains(other) {
    return other === this || this.children.some((child) => child.contains(other));
  }

  getContext() {
    return DRAWING;
  }

  getBoundingClientRect() {
    return { left: 0, top: 0, width: 640, height: 480 };
  }

  showModal() {
    this.open = true;
  }

  close() {
    this.dispatch("close");
  }

  querySelectorAll(selector) {
    const found = [];
    for (const child of this.children) {
      if (child.matches(selector)) found.push(child);
      found.push(...child.querySelectorAll(selector));
    }
    return found;
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  /** Knows a tag, a class, an ID, and an attribute with its value. */
  matches(selector) {
    const attribute = /^\[([\w-]+)="([^"]*)"\]$/.exec(selector);
    if (attribute) return this.getAttribute(attribute[1]) === attribute[2];
    if (selector.startsWith(".")) return this.classList.contains(selector.slice(1));
    if (selector.startsWith("#")) return this.getAttribute("id") === selector.slice(1);
    return this.tagName === selector.toUpperCase();
  }
}

/** Puts a new document in the place of the browser's; returns it. */
export function installDocument() {
  const document = new FakeElement("document");
  document.createElement = (tag) => new FakeElement(tag);
  document.createElementNS = (_, tag) => new FakeElement(tag);
  document.getElementById = (id) => document.querySelector(`#${id}`);
  document.removeEventListener = () => {};
  document.hidden = false;
  document.title = "Platen";
  document.body = new FakeElement("body");
  document.append(document.body);
  document.activeElement = document.body;
  globalThis.document = document;
  globalThis.ImageData = class {
    constructor(width, height) {
      this.data = new Uint8ClampedArray(width * height * 4);
    }
  };
  return document;
}
