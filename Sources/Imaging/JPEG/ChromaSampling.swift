import CTurboJPEG

/// How many chroma samples there are for the luma samples of a JPEG image.
enum ChromaSampling {
  /// One for two by two.
  case halved
  /// One for two columns.
  case halvedHorizontally

  /// TurboJPEG's number for it.
  var turboJPEG: Int32 {
    switch self {
    case .halved: Int32(TJSAMP_420.rawValue)
    case .halvedHorizontally: Int32(TJSAMP_422.rawValue)
    }
  }

  /// The chroma columns for a width in pixels.
  func columns(_ width: Int) -> Int { (width + 1) / 2 }

  /// The chroma rows for a height in pixels.
  func rows(_ height: Int) -> Int {
    switch self {
    case .halved: (height + 1) / 2
    case .halvedHorizontally: height
    }
  }

  /// The luma columns that TurboJPEG reads for a width: the chroma columns' worth.
  func paddedColumns(_ width: Int) -> Int { columns(width) * 2 }

  /// The luma rows that TurboJPEG reads for a height: the chroma rows' worth.
  func paddedRows(_ height: Int) -> Int {
    switch self {
    case .halved: rows(height) * 2
    case .halvedHorizontally: height
    }
  }
}
