import CTurboJPEG

/// The ratio of chroma samples to the luma samples of a JPEG image.
enum ChromaSampling {
  /// A chroma sample for two by two luma samples.
  case halved
  /// A chroma sample for two columns of luma.
  case halvedHorizontally

  /// TurboJPEG's number of the sampling.
  var turboJPEG: Int32 {
    switch self {
    case .halved: Int32(TJSAMP_420.rawValue)
    case .halvedHorizontally: Int32(TJSAMP_422.rawValue)
    }
  }

  /// Returns the number of chroma columns for a width in pixels.
  func columns(_ width: Int) -> Int { (width + 1) / 2 }

  /// Returns the number of chroma rows for a height in pixels.
  func rows(_ height: Int) -> Int {
    switch self {
    case .halved: (height + 1) / 2
    case .halvedHorizontally: height
    }
  }

  /// Returns the number of luma columns that TurboJPEG reads for a width: whole chroma columns.
  func paddedColumns(_ width: Int) -> Int { columns(width) * 2 }

  /// Returns the number of luma rows that TurboJPEG reads for a height: whole chroma rows.
  func paddedRows(_ height: Int) -> Int {
    switch self {
    case .halved: rows(height) * 2
    case .halvedHorizontally: height
    }
  }
}
