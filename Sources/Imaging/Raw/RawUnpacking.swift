package import Devices

/// The samples of a raw frame, unpacked row by row.
///
/// The value points to the frame's bytes and is valid as long as they are.
package struct RawUnpacking {
  /// The form of the samples.
  package let format: RawFormat
  /// The columns and rows.
  package let size: FrameSize
  private let start: UnsafePointer<UInt8>
  private let bytesPerRow: Int
  private let group: Group

  /// The samples of a row that are packed together.
  private struct Group {
    var samples: Int
    var bytes: Int
  }

  /// Checks a frame's bytes against its form.
  ///
  /// The padding after the last row may be missing.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read.
  ///   - format: the form of the samples.
  ///   - size: the columns and rows.
  ///   - bytesPerRow: the bytes from one row to the next.
  /// - Throws: ``ImagingError``: `unsupported` for a form that no camera has, or `malformedFrame`.
  package init(
    _ bytes: UnsafeRawBufferPointer, format: RawFormat, size: FrameSize, bytesPerRow: Int
  ) throws(ImagingError) {
    let subject = "raw frame of \(size)"
    guard let group = Self.group(of: format) else {
      throw ImagingError(
        .unsupported, subject: subject, problem: "cannot be unpacked",
        cause: "no camera packs \(format.bitDepth) bits as \(format.packing.rawValue)")
    }
    guard (1...Int(UInt16.max)).contains(size.width), (1...Int(UInt16.max)).contains(size.height)
    else {
      throw ImagingError(
        .malformedFrame, subject: subject, problem: "has an impossible size",
        cause: "width and height are 1...\(UInt16.max)")
    }
    let rowByteCount = (size.width + group.samples - 1) / group.samples * group.bytes
    guard (rowByteCount...Int(Int32.max)).contains(bytesPerRow) else {
      throw ImagingError(
        .malformedFrame, subject: subject, problem: "has rows of an impossible length",
        cause: "\(bytesPerRow) bytes a row where the samples need \(rowByteCount)")
    }
    let needed = (size.height - 1) * bytesPerRow + rowByteCount
    guard bytes.count >= needed, let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    else {
      throw ImagingError(
        .malformedFrame, subject: subject, problem: "is too short",
        cause: "\(bytes.count) bytes where \(needed) are needed")
    }
    self.format = format
    self.size = size
    self.bytesPerRow = bytesPerRow
    self.group = group
    self.start = start
  }

  /// Unpacks a row into samples of ``RawFormat/bitDepth`` bits.
  ///
  /// - Throws: ``ImagingError``, code `malformedFrame`, for samples with more bits.
  /// - Complexity: O(columns).
  package func row(_ index: Int) throws(ImagingError) -> [UInt16] {
    precondition((0..<size.height).contains(index), "row \(index) of \(size)")
    let source = start + index * bytesPerRow
    // Groups are unpacked as a whole, and what they have beyond the row is left out.
    let groupCount = (size.width + group.samples - 1) / group.samples
    let row = [UInt16](unsafeUninitializedCapacity: groupCount * group.samples) { buffer, count in
      guard let target = buffer.baseAddress else { return }
      switch format.packing {
      case .none:
        for column in 0..<groupCount {
          target[column] = UInt16(source[2 * column]) | UInt16(source[2 * column + 1]) << 8
        }
      case .csi2:
        unpackCSI2(source, into: target, groupCount: groupCount)
      case .pispCompressed:
        for block in 0..<groupCount {
          PiSPCompression.decode(source + block * group.bytes, into: target + block * group.samples)
        }
      }
      count = size.width
    }
    let usedBits = row.reduce(UInt16(0)) { $0 | $1 }
    guard usedBits >> format.bitDepth == 0 else {
      throw ImagingError(
        .malformedFrame, subject: "raw frame of \(size)",
        problem: "has samples of more than \(format.bitDepth) bits")
    }
    return row
  }

  /// Unpacks groups of high bytes, behind which the low bits follow from the lowest bit on.
  private func unpackCSI2(
    _ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt16>, groupCount: Int
  ) {
    let lowBits = format.bitDepth - 8
    let mask = (UInt32(1) &<< lowBits) - 1
    for index in 0..<groupCount {
      let bytes = source + index * group.bytes
      var low: UInt32 = 0
      for byte in group.samples..<group.bytes {
        low |= UInt32(bytes[byte]) &<< (8 * (byte - group.samples))
      }
      for sample in 0..<group.samples {
        let rest = UInt16(truncatingIfNeeded: (low &>> (lowBits * sample)) & mask)
        target[index * group.samples + sample] = UInt16(bytes[sample]) &<< lowBits | rest
      }
    }
  }

  /// Returns the group of a form; `nil` for a form that no camera has.
  private static func group(of format: RawFormat) -> Group? {
    switch (format.packing, format.bitDepth) {
    case (.none, 8), (.none, 10), (.none, 12), (.none, 14), (.none, 16):
      Group(samples: 1, bytes: 2)
    case (.csi2, 8): Group(samples: 1, bytes: 1)
    case (.csi2, 10): Group(samples: 4, bytes: 5)
    case (.csi2, 12): Group(samples: 2, bytes: 3)
    case (.csi2, 14): Group(samples: 4, bytes: 7)
    case (.pispCompressed, 16):
      Group(samples: PiSPCompression.blockSize, bytes: PiSPCompression.blockSize)
    default: nil
    }
  }
}
