/// The formats of a photo's files.
package enum PhotoFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// The processed frame, which every photo has.
  case jpeg
  /// The raw frame of the same exposure as a DNG file.
  case dng

  /// Reads the formats of a photo from their words.
  ///
  /// - Throws: ``InvalidValue`` for an unknown word, and when ``jpeg`` is missing.
  package static func formats(_ words: [String]) throws(InvalidValue) -> Set<PhotoFormat> {
    var formats: Set<PhotoFormat> = []
    for word in words {
      guard let format = PhotoFormat(rawValue: word) else {
        throw InvalidValue.unknownWord(word, of: "formats", allCases.map(\.rawValue))
      }
      formats.insert(format)
    }
    guard formats.contains(.jpeg) else {
      throw InvalidValue(
        description: "The value of \"formats\" must have jpeg; a photo always has that file.")
    }
    return formats
  }
}
