/// The check and the completion of Motion JPEG frames from USB cameras.
enum MotionJPEG {
  /// Checks a frame and returns it as a JPEG image that every reader can show.
  ///
  /// Many cameras omit the Huffman tables, because all frames have the same (the AVI1 convention).
  /// The typical tables of T.81, K.3 are then put before the scan that needs them. Bytes after the
  /// end of the image, a USB transfer's padding, are cut off. Everything else is passed on
  /// unchanged.
  ///
  /// The coded data are not decoded, so that damage within them stays unseen; see ``JPEGDamage``. A
  /// loss of bytes may join two others to a marker, which is removed: the rest can still be shown.
  ///
  /// - Throws: ``ImagingError``, code `malformedJPEG`, when the frame was damaged on its way, or is
  ///   of a kind that common readers cannot show.
  /// - Complexity: O(bytes).
  static func completed(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) -> [UInt8] {
    try completion(of: bytes).jpeg
  }

  /// Does the work of ``completed(_:)``, and tells whether markers had to be removed.
  ///
  /// - Throws: as ``completed(_:)`` does.
  static func completion(
    of bytes: UnsafeRawBufferPointer
  ) throws(ImagingError) -> (jpeg: [UInt8], isRepaired: Bool) {
    do throws(ImagingError) {
      return (try checked(bytes), false)
    } catch {
      guard let repaired = withoutStrayMarkers(bytes) else { throw error }
      let result = repaired.withUnsafeBytes { bytes in
        Result { () throws(ImagingError) in try checked(bytes) }
      }
      return (try result.get(), true)
    }
  }

  /// Returns a frame without the markers that a loss of bytes makes where it joins two others.
  ///
  /// - Returns: `nil` for a frame whose only scan does not have all components; the markers between
  ///   its scans cannot be told from stray ones.
  private static func withoutStrayMarkers(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard var reader = try? JPEGSegmentReader(bytes) else { return nil }
    var components: Int?
    while let segment = try? reader.next() {
      if segment.marker == 0xC0 || segment.marker == 0xC1 {
        let header = try? JPEGFrameHeader(bytes[segment.payload], marker: segment.marker)
        components = header?.components.count
      }
      guard segment.marker == JPEGSegment.Marker.startOfScan else { continue }
      let start = segment.payload.upperBound
      guard let components, bytes[segment.payload].first.map({ Int($0) }) == components
      else {
        return nil
      }
      var result = Array(bytes[..<start])
      for position in start..<bytes.count {
        let next = position + 1 < bytes.count ? bytes[position + 1] : 0
        let isStray =
          bytes[position] == 0xFF && next != 0 && next != 0xFF
          && next != JPEGSegment.Marker.endOfImage && !JPEGSegment.Marker.restart.contains(next)
        if !isStray { result.append(bytes[position]) }
      }
      return result
    }
    return nil
  }

  private static func checked(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) -> [UInt8] {
    var reader = try JPEGSegmentReader(bytes)
    var check = Check()
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 432)
    result += bytes[0..<2]
    while let segment = try reader.next() {
      for table in try check.missingTables(before: segment, payload: bytes[segment.payload]) {
        result += table
      }
      result += bytes[segment.range]
    }
    guard check.hasScan else { throw Check.malformed("has no picture") }
    result += [0xFF, JPEGSegment.Marker.endOfImage]
    return result
  }

  /// The parts of an image that have been read so far.
  private struct Check {
    private var header: JPEGFrameHeader?
    private var isProgressive = false
    private var quantizationTables: Set<Int> = []
    private var huffmanTables: Set<HuffmanTables.Key> = []
    private(set) var hasScan = false

    static func malformed(_ problem: String) -> ImagingError {
      ImagingError(.malformedJPEG, subject: "MJPEG frame", problem: problem)
    }

    /// Checks a segment and returns the table segments that have to stand before it.
    mutating func missingTables(
      before segment: JPEGSegment, payload: UnsafeRawBufferPointer.SubSequence
    ) throws(ImagingError) -> [[UInt8]] {
      switch segment.marker {
      case JPEGSegment.Marker.huffmanTables:
        guard let keys = HuffmanTables.keys(in: payload) else {
          throw Self.malformed("has damaged Huffman tables")
        }
        huffmanTables.formUnion(keys)
      case JPEGSegment.Marker.quantizationTables:
        try takeQuantizationTables(payload)
      case let marker where JPEGSegment.Marker.frames.contains(marker):
        guard header == nil else { throw Self.malformed("has two frame headers") }
        header = try JPEGFrameHeader(payload, marker: marker)
        isProgressive = marker == 0xC2
      case JPEGSegment.Marker.startOfScan:
        guard segment.range.upperBound > segment.payload.upperBound else {
          throw Self.malformed("has a scan without data")
        }
        return try takeScan(Array(payload))
      default: break
      }
      return []
    }

    private mutating func takeQuantizationTables(
      _ payload: UnsafeRawBufferPointer.SubSequence
    ) throws(ImagingError) {
      var rest = payload
      while let code = rest.first {
        let byteCount = 1 + (code >> 4 == 0 ? 64 : 128)
        guard code >> 4 <= 1, code & 15 < 4, rest.count >= byteCount else {
          throw Self.malformed("has damaged quantization tables")
        }
        quantizationTables.insert(Int(code & 15))
        rest = rest.dropFirst(byteCount)
      }
    }

    /// Checks a scan header (T.81, B.2.3) and returns the Huffman tables that it lacks.
    private mutating func takeScan(_ scan: [UInt8]) throws(ImagingError) -> [[UInt8]] {
      guard let header else { throw Self.malformed("has a scan before its frame header") }
      guard let count = scan.first, (1...header.components.count).contains(Int(count)),
        scan.count == 4 + 2 * Int(count)
      else { throw Self.malformed("has a damaged scan header") }
      let first = scan[scan.count - 3]
      let last = scan[scan.count - 2]
      let isRefinement = scan[scan.count - 1] >> 4 != 0
      var needed: [HuffmanTables.Key] = []
      for index in 0..<Int(count) {
        let id = scan[1 + 2 * index]
        let tables = scan[2 + 2 * index]
        guard let component = header.components.first(where: { $0.id == id }) else {
          throw Self.malformed("has a scan of an unknown component")
        }
        guard quantizationTables.contains(component.quantizationTable) else {
          throw Self.malformed("lacks quantization table \(component.quantizationTable)")
        }
        if first == 0, !isRefinement {
          needed.append(HuffmanTables.Key(isAC: false, number: Int(tables >> 4)))
        }
        if last > 0 { needed.append(HuffmanTables.Key(isAC: true, number: Int(tables & 15))) }
      }
      hasScan = true
      var missing: [[UInt8]] = []
      for key in needed where !huffmanTables.contains(key) {
        // The typical tables lack the symbols of progressive scans.
        guard !isProgressive, let segment = HuffmanTables.standardSegment(key) else {
          throw Self.malformed("lacks Huffman table \(key.number)")
        }
        huffmanTables.insert(key)
        missing.append(segment)
      }
      return missing
    }
  }
}
