import CTurboJPEG

/// The check of a compressed frame for damage within its coded data.
///
/// A frame that lost packets on a USB cable may begin and end as a whole one. Decoded, such a frame
/// runs out of data early, has codes that do not exist, or misses a restart marker. A marker among
/// the data is damage, too, although the picture can be shown without it. A loss of a few bytes may
/// stay unseen.
package enum JPEGDamage {
  /// The longest padding before the end of an image that counts as harmless, in bytes.
  ///
  /// Many cameras send some bytes more than the picture needs.
  private static let longestPadding = 32

  /// Decodes a frame at an eighth of its size and returns its damage.
  ///
  /// - Returns: the damage, as libjpeg or ``ImagingError`` words it; `nil` for a whole frame, and
  ///   for one that TurboJPEG cannot judge.
  /// - Complexity: O(bytes + pixels); blocks the thread for milliseconds.
  package static func find(in bytes: UnsafeRawBufferPointer) -> String? {
    do throws(ImagingError) {
      let (jpeg, isRepaired) = try MotionJPEG.completion(of: bytes)
      return decodingFault(of: jpeg) ?? (isRepaired ? "a marker within the picture's data" : nil)
    } catch {
      return "\(error)"
    }
  }

  private static func decodingFault(of jpeg: [UInt8]) -> String? {
    guard let handle = tjInitDecompress() else { return nil }
    defer { tjDestroy(handle) }
    var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, -1, -1)
    guard
      tjDecompressHeader3(
        handle, jpeg, UInt(jpeg.count), &width, &height, &sampling, &colors) == 0
    else { return nil }
    let (columns, rows) = ((width + 7) / 8, (height + 7) / 8)
    var gray = [UInt8](repeating: 0, count: Int(columns) * Int(rows))
    let result = tjDecompress2(
      handle, jpeg, UInt(jpeg.count), &gray, columns, 0, rows, Int32(TJPF_GRAY.rawValue),
      TJFLAG_FASTDCT)
    guard result != 0, tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else { return nil }
    let fault = String(cString: tjGetErrorStr2(handle))
    return isPadding(fault) ? nil : fault
  }

  /// Whether the words are "N extraneous bytes before marker 0xd9", the end-of-image marker.
  private static func isPadding(_ fault: String) -> Bool {
    let words = fault.split(separator: " ")
    guard words.last == "0xd9", let index = words.firstIndex(of: "extraneous"), index > 0 else {
      return false
    }
    return Int(words[index - 1]).map { $0 <= longestPadding } ?? false
  }
}
