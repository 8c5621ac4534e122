/// The value of `Upload-Metadata`: names, and values in Base64.
enum TusMetadata {
  /// Writes what is known of an item, sorted by name.
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

  /// Printable ASCII without the comma and the space, which part names.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }
  }
}
