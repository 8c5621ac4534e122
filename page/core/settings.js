// The settings: their declarations, their values in the file, and the check of a new value.

import { nodeAt, readYAML, shownNode } from "./yaml.js";

/**
 * @typedef {object} Declaration
 * @property {string} path the key; words in capitals stand for a chosen name
 * @property {boolean} isReserved whether the key is set only in the file
 * @property {string} type
 * @property {string} range empty where the type says all
 * @property {string} standard the default
 * @property {string} meaning
 */

const PLACEHOLDER = /^[A-Z]+$/;

/**
 * Returns the settings with their values, in the order of the declarations.
 *
 * A declaration with a placeholder gives a setting for each name that the file or a new key has. The settings of one
 * name stand together.
 *
 * @param {Declaration[]} declarations
 * @param {string} text the configuration file
 * @param {string[]} newKeys keys that the file does not have yet
 * @returns {{key: string, section: string, declaration: Declaration, value: string | undefined}[]}
 */
export function settingsOf(declarations, text, newKeys = []) {
  const file = readYAML(text);
  const added = newKeys.map((key) => key.split("."));
  const groups = new Map();
  for (const declaration of declarations) {
    const words = declaration.path.split(".");
    const named = words.findIndex((word) => PLACEHOLDER.test(word)) + 1 || words.length;
    for (const path of pathsOf(words, file, added)) {
      const node = nodeAt(file, path);
      const group = path.slice(0, named).join(".");
      groups.set(group, [...groups.get(group) ?? [], {
        key: path.join("."), section: path[0], declaration, value: node ? shownNode(node) : undefined,
      }]);
    }
  }
  return [...groups.values()].flat();
}

/** Returns the paths that a key with placeholders has in a file, and by new keys. */
function pathsOf(words, file, added) {
  let paths = [[]];
  for (const word of words) {
    paths = paths.flatMap((path) =>
      (PLACEHOLDER.test(word) ? namesBelow(path, file, added) : [word]).map((name) => [...path, name]));
  }
  return paths;
}

function namesBelow(path, file, added) {
  const isBelow = (key) => key.length > path.length && path.every((word, index) => key[index] === word);
  return [...new Set([
    ...nodeAt(file, path)?.section?.keys() ?? [], ...added.filter(isBelow).map((key) => key[path.length]),
  ])];
}

/**
 * Returns the settings of a section that have chosen names, if names may be added over the API; undefined for none.
 *
 * @returns {{parent: string, declaration: Declaration, hasReserved: boolean} | undefined} the key that the names are below,
 *   and whether some of their keys are reserved
 */
export function namedSettings(declarations, section) {
  const declaration = declarations.find(({ path, isReserved }) => {
    const words = path.split(".");
    return words[0] === section && !isReserved && words.findIndex((word) => PLACEHOLDER.test(word)) === words.length - 1;
  });
  if (!declaration) return undefined;
  return {
    declaration, parent: declaration.path.slice(0, declaration.path.lastIndexOf(".")),
    hasReserved: declarations.some(({ path, isReserved }) => isReserved && path.startsWith(`${declaration.path}.`)),
  };
}

/** Returns the reason why a file takes no names below a key; undefined for none. */
export function obstacleTo(parent, declarations, text) {
  const file = readYAML(text);
  const found = nodeAt(file, parent.split("."));
  if (found?.list) return `The file has ${parent} as a list.`;
  const excludes = (words) => /excludes ([^;]*)/.exec(words)?.[1].split(/[ ,]+/) ?? [];
  const { meaning } = declarations.find(({ path }) => path === parent) ?? {};
  const others = [...excludes(meaning), ...declarations.filter(({ range }) => excludes(range).includes(parent)).map(({ path }) => path)];
  const other = others.find((key) => nodeAt(file, key.split(".")));
  return other && `The file has ${other}, which excludes ${parent}.`;
}

/** Returns the names of which a new one must be; undefined where it is free. */
export function nameChoicesOf({ range }) {
  if (!/^[a-z]+, /.test(range)) return undefined;
  const alone = /or (\w+) alone/.exec(range)?.[1];
  return [...choicesOf({ type: "word", range }), ...(alone ? [alone] : [])];
}

/** Returns the rule for a new name. */
export function nameRuleOf({ range }) {
  return range || "a name is 1 to 64 of A-Z a-z 0-9 - _";
}

/** Returns the fault of a new name, as far as its declaration says; undefined for none. */
export function faultOfName(declaration, name, known) {
  const rule = nameRuleOf(declaration);
  const [, least, most, set] = /(\d+) to (\d+) of (\S+(?: \S+)*)$/.exec(rule) ?? [];
  const letters = set?.split(" ").map((part) => (part === "-" ? "\\-" : part)).join("");
  if (set && !new RegExp(`^[${letters}]{${least},${most}}$`).test(name)) return `Enter a name: ${rule}.`;
  return known.includes(name) ? `"${name}" is there already.` : undefined;
}

/** Returns whether a setting can be changed over the API. */
export function isEditable({ type, isReserved }) {
  return !isReserved && type !== "section";
}

/** Returns the first statement of a range, without what it goes with. */
function ownRange(range) {
  return range.split(";")[0].trim();
}

/** Returns the words that a setting may have; undefined when it is not a choice. */
export function choicesOf({ type, range }) {
  if (type === "true or false") return ["true", "false"];
  if (type !== "word") return undefined;
  return ownRange(range).split(",").map((word) => word.trim());
}

const UNITS = {
  us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600,
  B: 1, kB: 1e3, KiB: 1024, MB: 1e6, MiB: 1024 ** 2, GB: 1e9, GiB: 1024 ** 3,
};

/** Returns a quantity with or without a unit as a number; undefined for another text. */
function quantity(text) {
  const found = /^(-?\d+(?:\.\d+)?)\s*([A-Za-z]*)/.exec(text.trim());
  if (!found) return undefined;
  return Number(found[1]) * (UNITS[found[2]] ?? 1);
}

/** Returns the limits that a range states; undefined for none. */
export function limitsOf(range) {
  const own = ownRange(range);
  const both = /^(\S+(?: [a-zA-Z]+)?) to (\S+(?: [a-zA-Z]+)?)/.exec(own);
  if (both) return { lowest: quantity(both[1]), highest: quantity(both[2]) };
  const least = /^(\S+(?: [a-zA-Z]+)?) or more/.exec(own);
  return least ? { lowest: quantity(least[1]), highest: undefined } : undefined;
}

const FORMS = {
  "whole number": [/^-?\d+$/, "a whole number"],
  number: [/^-?\d+(\.\d+)?$/, "a number"],
  duration: [/^\d+(\.\d+)? ?(us|ms|s|min|h)$/, "a duration with its unit, for example 30 ms"],
  bytes: [/^\d+(\.\d+)? ?(B|kB|KiB|MB|MiB|GB|GiB)$/, "a size with its unit, for example 8 MiB"],
  size: [/^\d+ ?x ?\d+$/, "a width and a height, for example 4056x3040"],
};

/**
 * Returns what is wrong with a new value, as far as its declaration says.
 *
 * @param {Declaration} declaration
 * @param {string} text the value as it was typed
 * @returns {string | undefined} a sentence; undefined when nothing is seen to be wrong
 */
export function faultOf(declaration, text) {
  const { type, range } = declaration;
  const value = text.trim();
  if (value === "") return "Enter a value.";
  const choices = choicesOf(declaration);
  if (choices) return choices.includes(value) ? undefined : `Choose one of ${choices.join(", ")}.`;
  const form = FORMS[type];
  // Some ranges name words beside the quantities, for example "or off".
  if (!form || /^[a-z][a-z -]*$/.test(value) && new RegExp(`\\b(or|,) ${value}\\b`).test(range)) return undefined;
  const [pattern, described] = form;
  if (!pattern.test(value)) return `Enter ${described}.`;
  const listed = /^\d+(, \d+)+/.exec(range)?.[0].split(", ");
  if (listed) return listed.includes(value) ? undefined : `Choose one of ${listed.join(", ")}.`;
  const limits = type === "size" ? undefined : limitsOf(range);
  const number = quantity(value);
  if (limits && (number < limits.lowest || number > (limits.highest ?? Infinity))) {
    return `The range is ${ownRange(range)}.`;
  }
  return undefined;
}

const PLAIN = new Set(["word", "true or false", "whole number", "number", "duration", "bytes", "size"]);

/** Returns a typed value as YAML, as `PATCH /v1/configuration` takes it. */
export function yamlOf({ type }, text) {
  const value = text.trim();
  if (PLAIN.has(type)) return value;
  if (type === "list" && !value.startsWith("[")) {
    return `[${value.split(",").map((part) => JSON.stringify(part.trim())).join(", ")}]`;
  }
  return ["text", "URL", "path", "times of day"].includes(type) ? JSON.stringify(value) : value;
}

/** Returns the settings whose key, sentence or value has all of some words. */
export function matching(settings, search) {
  const sought = search.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter(({ key, value, declaration }) => {
    const text = `${key} ${value ?? ""} ${declaration.meaning}`.toLowerCase();
    return sought.every((word) => text.includes(word));
  });
}
