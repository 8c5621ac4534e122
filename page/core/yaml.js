// A reader of the values in a configuration file, for display; the rig alone judges the file.

/**
 * @typedef {{scalar: string} | {list: Node[]} | {section: Map<string, Node>}} Node
 */

/**
 * Returns the values of a text in YAML; lines that are not understood are left out.
 *
 * @param {string} text the text, without anchors and tags, as the rig takes it
 * @returns {Node} a section
 */
export function readYAML(text) {
  const lines = joinedLines(text);
  const [node] = readBlock(lines, 0, lines[0]?.indent ?? 0);
  return node?.section ? node : { section: new Map() };
}

/** Returns the node at a path of keys; undefined when it is not there. */
export function nodeAt(node, path) {
  let at = node;
  for (const key of path) at = at?.section?.get(key);
  return at;
}

/** Returns a node as a text on one line, as a person would write it. */
export function shownNode(node) {
  if (!node) return "";
  if (node.list) return `[${node.list.map(shownNode).join(", ")}]`;
  if (node.section) {
    return `{ ${[...node.section].map(([key, value]) => `${key}: ${shownNode(value)}`).join(", ")} }`;
  }
  return node.scalar;
}

/** Returns the part of a line before its comment. */
function withoutComment(line) {
  let quote = "";
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (quote) {
      if (character === "\\" && quote === "\"") at += 1;
      else if (character === quote) quote = "";
    } else if ((character === "\"" || character === "'") && /[\s[{,:]|^$/.test(line[at - 1] ?? "")) {
      quote = character;
    } else if (character === "#" && (at === 0 || /\s/.test(line[at - 1]))) {
      return line.slice(0, at);
    }
  }
  return line;
}

/** Returns the number of brackets of a text that are still open. */
function openBrackets(text) {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/g, "");
  return (bare.match(/[[{]/g)?.length ?? 0) - (bare.match(/[\]}]/g)?.length ?? 0);
}

/** The rig's text in the place of a secret, and of what follows on the line. */
const MASK = "(not shown)";

/** Returns a line with the brackets that its mask has hidden. */
function unmasked(line) {
  if (!line.endsWith(MASK)) return line;
  const open = [];
  for (const [bracket] of line.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[[{\]}]/g)) {
    if (bracket === "[" || bracket === "{") open.push(bracket === "[" ? "]" : "}");
    else if (bracket.length === 1) open.pop();
  }
  return line + open.reverse().join("");
}

/** Returns the lines with their indentation; a list or section in brackets is one line. */
function joinedLines(text) {
  const lines = [];
  let open = 0;
  for (const raw of text.split(/\r?\n/)) {
    const bare = unmasked(withoutComment(raw).trimEnd());
    if (bare.trim() === "" || /^(---|\.\.\.)$/.test(bare)) continue;
    if (open > 0) {
      const last = lines[lines.length - 1];
      last.text += ` ${bare.trim()}`;
      open = openBrackets(last.text);
      continue;
    }
    lines.push({ indent: bare.length - bare.trimStart().length, text: bare.trim() });
    open = openBrackets(bare);
  }
  return lines;
}

const KEY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'[\]{}#,][^#]*?)\s*:(?:\s+(.*))?$/;

/** Reads the lines of one indentation; returns the node and the number of the next line. */
function readBlock(lines, start, indent) {
  let at = start;
  if (lines[at]?.text.startsWith("- ") || lines[at]?.text === "-") {
    const list = [];
    while (at < lines.length && lines[at].indent === indent && /^-(\s|$)/.test(lines[at].text)) {
      list.push(readFlow(lines[at].text.slice(1).trim()));
      at += 1;
      while (at < lines.length && lines[at].indent > indent) at += 1;
    }
    return [{ list }, at];
  }
  const section = new Map();
  while (at < lines.length && lines[at].indent >= indent) {
    const found = KEY.exec(lines[at].text);
    const own = lines[at].indent;
    at += 1;
    if (own !== indent || !found) continue;
    const key = unquoted(found[1]);
    const next = lines[at];
    if (found[2] !== undefined && found[2] !== "") {
      section.set(key, readFlow(found[2]));
    } else if (next && (next.indent > indent || (next.indent === indent && next.text.startsWith("- ")))) {
      const [node, after] = readBlock(lines, at, next.indent);
      section.set(key, node);
      at = after;
    } else {
      section.set(key, { scalar: "" });
    }
  }
  return [{ section }, at];
}

function unquoted(text) {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (!text.startsWith("\"")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(1, -1);
  }
}

/** Reads a value on one line: a word, or a list or section in brackets. */
function readFlow(text) {
  const reader = { text, at: 0 };
  return flowNode(reader, "");
}

function flowNode(reader, ends) {
  skipSpace(reader);
  const opening = reader.text[reader.at];
  if (opening === "[" || opening === "{") return flowCollection(reader, opening);
  return { scalar: flowScalar(reader, ends) };
}

function flowCollection(reader, opening) {
  const closing = opening === "[" ? "]" : "}";
  const list = [];
  const section = new Map();
  reader.at += 1;
  while (reader.at < reader.text.length) {
    skipSpace(reader);
    if (reader.text[reader.at] === closing) {
      reader.at += 1;
      break;
    }
    if (reader.text[reader.at] === ",") {
      reader.at += 1;
    } else if (opening === "[") {
      list.push(flowNode(reader, ",]"));
    } else {
      const key = flowScalar(reader, ":,}");
      skipSpace(reader);
      if (reader.text[reader.at] === ":") {
        reader.at += 1;
        section.set(key, flowNode(reader, ",}"));
      } else {
        section.set(key, { scalar: "" });
      }
    }
  }
  return opening === "[" ? { list } : { section };
}

function flowScalar(reader, ends) {
  skipSpace(reader);
  const rest = reader.text.slice(reader.at);
  const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(rest);
  if (quoted) {
    reader.at += quoted[0].length;
    return unquoted(quoted[0]);
  }
  let length = 0;
  while (length < rest.length) {
    const character = rest[length];
    const isColon = character === ":" && !/[\s,}\]]|^$/.test(rest[length + 1] ?? "");
    if (ends.includes(character) && !isColon) break;
    length += 1;
  }
  // A character that ends nothing here is passed over, so that reading always goes on.
  reader.at += Math.max(1, length);
  return rest.slice(0, length).trim();
}

function skipSpace(reader) {
  while (/\s/.test(reader.text[reader.at] ?? "")) reader.at += 1;
}
