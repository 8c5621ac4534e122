// The parser of a stream of parts (multipart/x-mixed-replace), as the live picture comes.

/** The longest head of a part. */
const MAXIMUM_HEAD = 16 * 1024;
/** The longest body of a part. */
const MAXIMUM_BODY = 32 * 1024 * 1024;

/**
 * Returns the boundary of a media type.
 *
 * @param {string} mediaType the value of `Content-Type`
 * @returns {string | undefined} undefined for another type
 */
export function boundaryOf(mediaType) {
  const found = /^multipart\/x-mixed-replace\s*;.*\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(
    mediaType ?? "");
  return found ? found[1] ?? found[2] : undefined;
}

/** Returns the fields of a head, with their names in lower case. */
function fieldsOf(text) {
  const fields = new Map();
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return fields;
}

/** Returns the place of a sequence of bytes; -1 when it is not there. */
function indexOf(bytes, sought, from, end) {
  const last = end - sought.length;
  for (let at = bytes.indexOf(sought[0], from); at >= 0 && at <= last;
    at = bytes.indexOf(sought[0], at + 1)) {
    let index = 1;
    while (index < sought.length && bytes[at + index] === sought[index]) index += 1;
    if (index === sought.length) return at;
  }
  return -1;
}

/**
 * A parser that takes the bytes of a stream in any pieces.
 *
 * The parser holds the bytes of one part at most, in a buffer that is used again for the next part.
 */
export class MultipartParser {
  #delimiter;
  #buffer = new Uint8Array(64 * 1024);
  #start = 0;
  #end = 0;
  #scanned = 0;
  #fields;
  #isOver = false;

  /** @param {string} boundary the boundary from the media type, with or without its hyphens */
  constructor(boundary) {
    const bare = boundary.startsWith("--") ? boundary.slice(2) : boundary;
    this.#delimiter = new TextEncoder().encode(`--${bare}`);
  }

  /** The size of the buffer, for tests. */
  get capacity() {
    return this.#buffer.length;
  }

  /**
   * Takes bytes and returns the parts that end in them.
   *
   * @param {Uint8Array} bytes the next bytes of the stream
   * @returns {{fields: Map<string, string>, body: Uint8Array}[]} parts with bodies of their own
   * @throws {Error} for a stream that is not as it should be
   */
  push(bytes) {
    if (this.#isOver) return [];
    this.#append(bytes);
    const parts = [];
    for (let part = this.#next(); part; part = this.#next()) parts.push(part);
    return parts;
  }

  #append(bytes) {
    const held = this.#end - this.#start;
    if (this.#end + bytes.length > this.#buffer.length) {
      let target = this.#buffer;
      if (held + bytes.length > target.length) {
        target = new Uint8Array(Math.max(target.length * 2, held + bytes.length));
      }
      target.set(this.#buffer.subarray(this.#start, this.#end), 0);
      this.#buffer = target;
      this.#scanned -= this.#start;
      this.#start = 0;
      this.#end = held;
    }
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  #next() {
    if (!this.#fields && !this.#readHead()) return undefined;
    const stated = this.#fields.get("content-length");
    return stated === undefined ? this.#bodyUntilBoundary() : this.#bodyOfLength(Number(stated));
  }

  /** Reads the boundary and the head behind it; returns whether both were there. */
  #readHead() {
    const boundary = indexOf(this.#buffer, this.#delimiter, this.#start, this.#end);
    if (boundary < 0) {
      if (this.#end - this.#start > MAXIMUM_HEAD) throw new Error("the live picture has no boundary");
      return false;
    }
    const after = boundary + this.#delimiter.length;
    if (this.#buffer[after] === 0x2d && this.#buffer[after + 1] === 0x2d && after + 1 < this.#end) {
      this.#isOver = true;
      return false;
    }
    const text = new TextDecoder().decode(
      this.#buffer.subarray(after, Math.min(this.#end, after + MAXIMUM_HEAD)));
    const end = /\r?\n\r?\n/.exec(text);
    if (!end) {
      if (this.#end - after > MAXIMUM_HEAD) throw new Error("a part of the live picture has no head");
      return false;
    }
    this.#fields = fieldsOf(text.slice(0, end.index));
    // Heads are ASCII, so that characters are bytes.
    this.#start = after + end.index + end[0].length;
    this.#scanned = this.#start;
    return true;
  }

  #bodyOfLength(length) {
    if (!(length >= 0 && length <= MAXIMUM_BODY)) {
      throw new Error("a part of the live picture has an impossible length");
    }
    return this.#end - this.#start < length ? undefined : this.#take(this.#start + length);
  }

  #bodyUntilBoundary() {
    const at = indexOf(this.#buffer, this.#delimiter, this.#scanned, this.#end);
    if (at < 0) {
      if (this.#end - this.#start > MAXIMUM_BODY) throw new Error("a part of the live picture has no end");
      this.#scanned = Math.max(this.#start, this.#end - this.#delimiter.length + 1);
      return undefined;
    }
    let end = at;
    if (this.#buffer[end - 1] === 0x0a && end > this.#start) end -= 1;
    if (this.#buffer[end - 1] === 0x0d && end > this.#start) end -= 1;
    return this.#take(end);
  }

  #take(end) {
    const part = { fields: this.#fields, body: this.#buffer.slice(this.#start, end) };
    this.#fields = undefined;
    this.#start = end;
    this.#scanned = end;
    return part;
  }
}
