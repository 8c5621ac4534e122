import Transfer

/// The metadata of an item as a JSON text to be stored beside the item.
///
/// The same item gives the same text.
struct MetadataDocument {
  /// The text.
  let json: String

  init(_ item: PendingDelivery) {
    json =
      JSONValue.object([
        "byteCount": .number(String(item.byteCount)),
        "contentType": .string(item.contentType),
        "id": .string(item.id),
        "metadata": .object(item.metadata.mapValues { .string($0) }),
        "sha256": .string(item.sha256),
      ]).text + "\n"
  }

  /// Makes the request that stores the text.
  func put(_ url: String, _ exchange: ObjectExchange, headers: [HTTPHeader] = []) -> HTTPRequest {
    let bytes = Array(json.utf8)
    return exchange.request(
      "PUT", url, headers: [HTTPHeader("Content-Type", "application/json")] + headers,
      body: .bytes(bytes), byteCount: Int64(bytes.count))
  }
}
