/// The value of `Upload-Metadata`: names, and values in Base64.
enum TusMetadata {
  /// Writes an item's metadata, sorted by name.
  ///
  /// `filename`, `filetype` and `relativePath` are the names that the servers and clients of the
  /// protocol agree on; `sha256` and `item` are ours.
  static func make(_ delivery: PendingDelivery) -> String {
    var values = delivery.metadata.filter { Self.isName($0.key) }
    values["filename"] = delivery.remoteName.split(separator: "/").last.map(String.init)
    values["filetype"] = delivery.contentType
    values["relativePath"] = delivery.remoteName
    values["sha256"] = delivery.sha256
    values["item"] = delivery.id
    return values.sorted { $0.key < $1.key }.map { name, value in
      value.isEmpty ? name : "\(name) \(ByteText.base64(value.utf8))"
    }.joined(separator: ",")
  }

  /// Returns whether a name is printable ASCII without comma and space, which separate names.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }
  }
}
