// The parser of server-sent events (WHATWG HTML §9.2).

/** The longest event that is read; the rig's are some kilobytes. */
const MAXIMUM_LENGTH = 4 * 1024 * 1024;

/** A parser that takes the bytes of a stream in any pieces. */
export class EventParser {
  #decoder = new TextDecoder();
  #text = "";
  #data = [];
  #kind = "";
  /** The ID of the last event that had one; sent back as `Last-Event-ID`. */
  lastID = "";

  /**
   * Takes bytes and returns the events that end in them.
   *
   * @param {Uint8Array} bytes the next bytes of the stream
   * @returns {{kind: string, id: string, data: string}[]}
   * @throws {Error} for an event without an end
   */
  push(bytes) {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    const events = [];
    let start = 0;
    while (true) {
      const end = this.#endOfLine(start);
      if (!end) break;
      const event = this.#take(this.#text.slice(start, end.at));
      if (event) events.push(event);
      start = end.next;
    }
    this.#text = this.#text.slice(start);
    const held = this.#data.reduce((length, line) => length + line.length, this.#text.length);
    if (held > MAXIMUM_LENGTH) throw new Error("an event of the stream has no end");
    return events;
  }

  /** Returns the end of a line and the start of the next one; undefined for an unfinished line. */
  #endOfLine(start) {
    for (let at = start; at < this.#text.length; at += 1) {
      const character = this.#text[at];
      if (character === "\n") return { at, next: at + 1 };
      if (character !== "\r") continue;
      // A line feed behind the return may still be on its way.
      if (at + 1 === this.#text.length) return undefined;
      return { at, next: this.#text[at + 1] === "\n" ? at + 2 : at + 1 };
    }
    return undefined;
  }

  /** Takes a line; returns an event for the empty line that ends one. */
  #take(line) {
    if (line === "") return this.#finish();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (field === "data") this.#data.push(value);
    if (field === "event") this.#kind = value;
    if (field === "id" && !value.includes("\0")) this.lastID = value;
    return undefined;
  }

  #finish() {
    const data = this.#data;
    const kind = this.#kind || "message";
    this.#data = [];
    this.#kind = "";
    return data.length ? { kind, id: this.lastID, data: data.join("\n") } : undefined;
  }
}

/** Returns the run of the service that an event's ID names. */
export function runOf(id) {
  const hyphen = id.lastIndexOf("-");
  return hyphen > 0 ? id.slice(0, hyphen) : "";
}
