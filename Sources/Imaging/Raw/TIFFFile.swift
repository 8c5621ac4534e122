import CTIFF
import Glibc

/// A little-endian TIFF file in memory, written by libtiff (`TIFFClientOpenExt`).
final class TIFFFile {
  private let memory = TIFFMemory()
  private var handle: OpaquePointer?

  /// Makes a file, with memory for its expected length.
  ///
  /// - Throws: ``ImagingError``, code `outOfMemory`.
  init(expectedByteCount: Int) throws(ImagingError) {
    memory.bytes.reserveCapacity(expectedByteCount)
    handle = CTIFF_create(
      Unmanaged.passUnretained(memory).toOpaque(),
      { context, start, count in
        guard let memory = TIFFMemory.of(context) else { return -1 }
        memory.write(UnsafeRawBufferPointer(start: start, count: Int(count)))
        return count
      },
      { context, offset, origin in
        guard let memory = TIFFMemory.of(context) else { return 0 }
        return toff_t(memory.seek(Int64(bitPattern: UInt64(offset)), from: origin))
      },
      { context in toff_t(TIFFMemory.of(context)?.bytes.count ?? 0) })
    guard handle != nil else {
      throw ImagingError(.outOfMemory, subject: "libtiff", problem: "begins no file")
    }
  }

  deinit {
    if let handle { TIFFClose(handle) }
  }

  /// Calls a function of libtiff that returns whether it succeeded.
  ///
  /// - Throws: ``ImagingError``, code `encoderFailed`, which names the step.
  func check(_ step: String, _ call: (OpaquePointer) -> Bool) throws(ImagingError) {
    guard let handle, call(handle) else {
      throw ImagingError(.encoderFailed, subject: "libtiff", problem: "refuses \(step)")
    }
  }

  /// Closes the file and returns its bytes.
  func close() -> [UInt8] {
    if let handle { TIFFClose(handle) }
    handle = nil
    memory.useLong(for: Int(TIFFTAG_SUBIFD))
    return memory.bytes
  }
}

/// The bytes of a file, to which libtiff appends.
///
/// libtiff goes back only for the offsets of later directories.
private final class TIFFMemory {
  var bytes: [UInt8] = []
  private var position = 0

  /// Returns the memory that libtiff was opened with.
  static func of(_ context: UnsafeMutableRawPointer?) -> TIFFMemory? {
    context.map { Unmanaged<TIFFMemory>.fromOpaque($0).takeUnretainedValue() }
  }

  func write(_ source: UnsafeRawBufferPointer) {
    let (start, end) = (position, position + source.count)
    position = end
    if start == bytes.count {
      bytes.append(contentsOf: source)
      return
    }
    if end > bytes.count { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.withUnsafeMutableBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: bytes[start..<end]).copyMemory(from: source)
    }
  }

  func seek(_ offset: Int64, from origin: Int32) -> Int {
    let base =
      switch origin {
      case SEEK_CUR: position
      case SEEK_END: bytes.count
      default: 0
      }
    position = max(base + Int(offset), 0)
    return position
  }

  /// Gives a tag of the first directory the type LONG (4), where libtiff writes IFD (13).
  ///
  /// Both are allowed for SubIFDs (TIFF Technical Note 1), and exiftool knows only LONG.
  func useLong(for tag: Int) {
    let directory = number(at: 4, byteCount: 4)
    for index in 0..<number(at: directory, byteCount: 2) {
      let entry = directory + 2 + 12 * index
      if number(at: entry, byteCount: 2) == tag { bytes[entry + 2] = 4 }
    }
  }

  private func number(at start: Int, byteCount: Int) -> Int {
    bytes[start..<start + byteCount].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
