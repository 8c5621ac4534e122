import Transfer

/// An item as the body of a `POST`, with the fields that describe it.
struct FormData {
  /// The fields of the request's head.
  let headers: [HTTPHeader]
  /// The body, which reads the item's file while it is sent.
  let body: HTTPBody

  /// Makes the form of an item.
  ///
  /// - Parameter boundary: the text between the parts, drawn at random so that no item contains it.
  init(
    _ item: PendingDelivery, _ form: ProcessingConfiguration.Form,
    boundary: @autoclosure () -> String = Self.randomBoundary()
  ) {
    let known = item.metadata.sorted { $0.key < $1.key }
    switch form {
    case .raw:
      headers =
        [
          HTTPHeader("Content-Type", item.contentType),
          // RFC 9530 §2.
          HTTPHeader("Content-Digest", "sha-256=:\(item.sha256Base64):"),
        ] + known.map { HTTPHeader("Platen-Meta-\($0.key)", $0.value) }
      body = .file(path: item.path)
    case .multipart:
      let boundary = boundary()
      headers = [HTTPHeader("Content-Type", "multipart/form-data; boundary=\(boundary)")]
      var head = ""
      for (name, value) in known.filter({ $0.key != "sha256" }) + [("sha256", item.sha256)] {
        head += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(name))\""
        head += "\r\n\r\n\(value)\r\n"
      }
      let name = item.remoteName.split(separator: "/").last.map(String.init) ?? "item"
      head += "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; "
      head += "filename=\"\(Self.quoted(name))\"\r\n"
      head += "Content-Type: \(Self.quoted(item.contentType))\r\n\r\n"
      body = .parts([
        .bytes(Array(head.utf8)), .file(path: item.path),
        .bytes(Array("\r\n--\(boundary)--\r\n".utf8)),
      ])
    }
  }

  /// Escapes a name as browsers do (WHATWG HTML §4.10.21.8).
  static func quoted(_ name: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": text += "%22".unicodeScalars
      case "\r": text += "%0D".unicodeScalars
      case "\n": text += "%0A".unicodeScalars
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  private static func randomBoundary() -> String {
    "platen-"
      + (0..<2).map { _ in
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined()
  }
}
