import Digests

/// A part of an item as we know it from our own file.
struct S3LocalPart: Hashable {
  /// The part's range in the file.
  var range: Range<Int64>
  /// The part's SHA-256.
  var sha256: [UInt8]
  /// The part's MD5, which many servers use as the entity tag.
  var md5: [UInt8]

  /// The part's number of bytes.
  var byteCount: Int64 { range.upperBound - range.lowerBound }

  /// Returns whether a part on the server is this one.
  ///
  /// The sizes must be equal, and so must a hash that both sides know. A part that cannot be
  /// compared is sent again.
  func matches(_ stored: S3StoredPart) -> Bool {
    guard stored.byteCount == byteCount else { return false }
    if let checksum = stored.sha256 { return checksum == ByteText.base64(sha256) }
    return stored.bareEntityTag == md5.hexadecimal
  }

  /// Returns the checksum of an object: the hash of its parts' hashes, and their number.
  static func compositeChecksum(of parts: [S3LocalPart]) -> String {
    ByteText.base64(Digest.value(.sha256, of: parts.flatMap(\.sha256))) + "-\(parts.count)"
  }
}

/// A part as the server has it.
struct S3StoredPart: Hashable {
  /// The part's number, from 1.
  var number: Int
  /// The part's entity tag, as the server spells it.
  var entityTag: String
  /// The part's number of bytes.
  var byteCount: Int64
  /// The part's SHA-256 in Base64, if the server sends it.
  var sha256: String?

  /// The entity tag in lower case and without its quotation marks.
  var bareEntityTag: String { S3StoredPart.bare(entityTag) }

  /// Returns an entity tag in lower case and without its quotation marks.
  static func bare(_ entityTag: String) -> String {
    entityTag.filter { $0 != "\"" }.lowercased()
  }
}

/// A page of a list of parts.
struct S3PartPage: Hashable {
  /// The parts, in the order of their numbers.
  var parts: [S3StoredPart]
  /// Whether there are more parts.
  var isTruncated: Bool

  /// Reads the answer to `ListParts`; returns `nil` for another document.
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

  init(parts: [S3StoredPart], isTruncated: Bool = false) {
    self.parts = parts
    self.isTruncated = isTruncated
  }
}
