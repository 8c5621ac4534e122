import Digests

/// A part of an item as we know it from our own file.
struct S3LocalPart: Hashable {
  /// Where it is in the file.
  var range: Range<Int64>
  /// Its SHA-256.
  var sha256: [UInt8]
  /// Its MD5, which many servers use as its entity tag.
  var md5: [UInt8]

  /// Its number of bytes.
  var byteCount: Int64 { range.upperBound - range.lowerBound }

  /// Whether a part that the server has is this one.
  ///
  /// It must have the same size, and the same hash by one that both know. A part that cannot be
  /// compared is sent again.
  func matches(_ stored: S3StoredPart) -> Bool {
    guard stored.byteCount == byteCount else { return false }
    if let checksum = stored.sha256 { return checksum == ByteText.base64(sha256) }
    return stored.bareEntityTag == md5.hexadecimal
  }

  /// The checksum of the object that these parts make: the hash of the hashes and their number.
  static func compositeChecksum(of parts: [S3LocalPart]) -> String {
    ByteText.base64(Digest.value(.sha256, of: parts.flatMap(\.sha256))) + "-\(parts.count)"
  }
}

/// A part as the server has it.
struct S3StoredPart: Hashable {
  /// Its number, from 1.
  var number: Int
  /// Its entity tag, as the server spells it.
  var entityTag: String
  /// Its number of bytes.
  var byteCount: Int64
  /// Its SHA-256 in Base64, if the server says it.
  var sha256: String?

  /// The entity tag in lower case and without its quotation marks.
  var bareEntityTag: String { S3StoredPart.bare(entityTag) }

  /// An entity tag in lower case and without its quotation marks.
  static func bare(_ entityTag: String) -> String {
    entityTag.filter { $0 != "\"" }.lowercased()
  }
}

/// What a page of a list of parts says.
struct S3PartPage: Hashable {
  /// The parts, in the order of their numbers.
  var parts: [S3StoredPart]
  /// Whether there are more.
  var isTruncated: Bool

  /// Reads the answer to `ListParts`; `nil` when it is none.
  init?(_ document: S3Document.Element?) {
    guard let document, document.name == "ListPartsResult" else { return nil }
    var parts: [S3StoredPart] = []
    for element in document.all("Part") {
      guard let number = element["PartNumber"].flatMap({ Int($0) }),
        let tag = element["ETag"], let count = element["Size"].flatMap({ Int64($0) })
      else { return nil }
      parts.append(
        S3StoredPart(
          number: number, entityTag: tag, byteCount: count, sha256: element["ChecksumSHA256"]))
    }
    self.parts = parts
    isTruncated = document["IsTruncated"] == "true"
  }

  /// Makes a page.
  init(parts: [S3StoredPart], isTruncated: Bool = false) {
    self.parts = parts
    self.isTruncated = isTruncated
  }
}
