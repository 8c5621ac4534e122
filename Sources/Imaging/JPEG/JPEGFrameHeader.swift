package import Devices

/// The contents of a JPEG image's start-of-frame segment (ITU-T T.81, B.2.2).
package struct JPEGFrameHeader: Sendable, Hashable {
  /// The numbers of columns and rows.
  package var size: FrameSize
  /// The components: one for gray, three for color.
  package var components: [Component]

  /// A component of the picture.
  package struct Component: Sendable, Hashable {
    /// The number by which scans name the component.
    package var id: UInt8
    /// The horizontal sampling factor, 1...4.
    package var horizontalSampling: Int
    /// The vertical sampling factor, 1...4.
    package var verticalSampling: Int
    /// The number of the quantization table, 0...3.
    package var quantizationTable: Int
  }

  /// Reads the contents of a start-of-frame segment.
  ///
  /// - Throws: ``ImagingError``, code `malformedJPEG`, also for frames that common readers cannot
  ///   show.
  init(_ payload: UnsafeRawBufferPointer.SubSequence, marker: UInt8) throws(ImagingError) {
    let bytes = Array(payload)
    func malformed(_ problem: String) -> ImagingError {
      ImagingError(.malformedJPEG, subject: "JPEG frame header", problem: problem)
    }
    guard JPEGSegment.Marker.readableFrames.contains(marker) else {
      throw malformed("is of a kind that common readers cannot show")
    }
    guard bytes.count >= 6, bytes.count == 6 + 3 * Int(bytes[5]) else {
      throw malformed("has an impossible length")
    }
    guard bytes[0] == 8 else {
      throw malformed("has \(bytes[0].counted("bit")) a sample instead of 8")
    }
    size = FrameSize(
      width: Int(bytes[3]) << 8 | Int(bytes[4]), height: Int(bytes[1]) << 8 | Int(bytes[2]))
    guard size.width > 0, size.height > 0 else { throw malformed("has an empty size \(size)") }
    components = []
    for start in stride(from: 6, to: bytes.count, by: 3) {
      let sampling = bytes[start + 1]
      components.append(
        Component(
          id: bytes[start], horizontalSampling: Int(sampling >> 4),
          verticalSampling: Int(sampling & 15), quantizationTable: Int(bytes[start + 2])))
    }
    guard components.count == 1 || components.count == 3 else {
      throw malformed("has \(components.count) components instead of 1 or 3")
    }
    for component in components {
      guard (1...4).contains(component.horizontalSampling),
        (1...4).contains(component.verticalSampling), component.quantizationTable < 4
      else { throw malformed("has an impossible component") }
    }
  }
}
