// The declarations of the rig, read from the pages that board/docs makes from them.

import { readFileSync } from "node:fs";

/** Returns the rows of all tables of a page of docs/reference, each a list of its cells. */
function rowsOf(name) {
  const text = readFileSync(new URL(`../../../../docs/reference/${name}.md`, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .map((line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
}

/** Returns a code's name from its cell; undefined for the head of a table. */
const nameIn = (cell) => /^`([^`]+)`/.exec(cell ?? "")?.[1];

function settings() {
  return rowsOf("configuration").filter((cells) => cells.length === 5 && nameIn(cells[0]))
    .map(([path, type, range, standard, meaning]) => ({
      path: nameIn(path), type, ...(range && { range }), standard, meaning, isReserved: path.endsWith("*"),
    }));
}

function codes() {
  const found = new Map();
  const merge = (code, facts) => code && found.set(code, { ...facts, ...found.get(code), code });
  for (const [, , meaning, code] of rowsOf("lights")) merge(nameIn(code), { meaning });
  for (const [code, flashes, advice] of rowsOf("doctor-codes")) merge(nameIn(code), { ...(flashes && { flashes }), advice });
  return [...found.values()];
}

/** The answer of `GET /v1/declarations`. */
export const DECLARATIONS_REPORT = { settings: settings(), codes: codes() };
if (DECLARATIONS_REPORT.settings.length < 100 || DECLARATIONS_REPORT.codes.length < 40) {
  throw new Error("the pages of docs/reference have another form; change board/page/tests/support/declarations.mjs with them");
}
