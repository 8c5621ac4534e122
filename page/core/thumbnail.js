// The thumbnail and the orientation inside a JPEG file (EXIF).

const EXIF = [0x45, 0x78, 0x69, 0x66, 0, 0];

/**
 * Reads the thumbnail of a JPEG file from its beginning.
 *
 * @param {Uint8Array} bytes the first bytes of the file
 * @returns {{state: "more" | "none"} | {state: "found", orientation: number,
 *   thumbnail?: Uint8Array}} `more` when further bytes may have it
 */
export function readThumbnail(bytes) {
  if (bytes.length < 2) return { state: "more" };
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return { state: "none" };
  let at = 2;
  while (true) {
    if (at + 4 > bytes.length) return { state: "more" };
    const marker = bytes[at + 1];
    const isSegment = bytes[at] === 0xff && (marker === 0xfe || (marker >= 0xc0 && marker <= 0xef));
    if (!isSegment || marker === 0xda) return { state: "none" };
    const end = at + 2 + (bytes[at + 2] << 8 | bytes[at + 3]);
    if (marker === 0xe1) {
      if (end > bytes.length) return { state: "more" };
      const segment = bytes.subarray(at + 4, end);
      if (EXIF.every((byte, index) => segment[index] === byte)) {
        return readDirectories(segment.subarray(EXIF.length));
      }
    }
    at = end;
  }
}

function readDirectories(tiff) {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  try {
    const isLittle = view.getUint16(0) === 0x4949;
    const short = (at) => view.getUint16(at, isLittle);
    const long = (at) => view.getUint32(at, isLittle);
    const entries = (at) => {
      const found = new Map();
      const count = short(at);
      for (let index = 0; index < count; index += 1) {
        const entry = at + 2 + index * 12;
        found.set(short(entry), short(entry + 2) === 3 ? short(entry + 8) : long(entry + 8));
      }
      return { found, next: long(at + 2 + count * 12) };
    };
    const photo = entries(long(4));
    const orientation = photo.found.get(0x0112) ?? 1;
    if (photo.next === 0) return { state: "found", orientation };
    const small = entries(photo.next).found;
    const start = small.get(0x0201);
    const length = small.get(0x0202);
    if (!start || !length || start + length > tiff.length) return { state: "found", orientation };
    return { state: "found", orientation, thumbnail: tiff.slice(start, start + length) };
  } catch {
    // The directories point outside of the segment.
    return { state: "none" };
  }
}

/** Returns the clockwise turn that EXIF's Orientation asks for; mirrored ones are not written. */
export function turnOfOrientation(orientation) {
  return { 3: 180, 6: 90, 8: 270 }[orientation] ?? 0;
}

/**
 * Reads the beginning of a stream until the thumbnail is there, and then lets go of the rest.
 *
 * @param {ReadableStream<Uint8Array>} stream the file
 * @param {number} limit the most bytes that are read
 * @returns {Promise<{orientation: number, thumbnail?: Uint8Array} | undefined>} undefined for a
 *   file without EXIF
 */
export async function thumbnailOfStream(stream, limit = 256 * 1024) {
  const reader = stream.getReader();
  let bytes = new Uint8Array(0);
  try {
    while (bytes.length < limit) {
      const piece = await reader.read();
      if (piece.done) return undefined;
      const longer = new Uint8Array(bytes.length + piece.value.length);
      longer.set(bytes);
      longer.set(piece.value, bytes.length);
      bytes = longer;
      const read = readThumbnail(bytes);
      if (read.state === "found") return read;
      if (read.state === "none") return undefined;
    }
    return undefined;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
