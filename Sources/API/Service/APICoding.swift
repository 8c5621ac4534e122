import Devices
import Foundation

/// The JSON of the API: sorted keys, unescaped slashes, no white space.
package enum APICoding {
  /// Encodes a value.
  ///
  /// - Parameter isPretty: whether to write the JSON for people, one key a line.
  /// - Throws: `EncodingError`.
  package static func encode(_ value: some Encodable, isPretty: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return Array(try encoder.encode(value))
  }

  /// Decodes a value.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, which names the key and the
  ///   expected value.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: some Sequence<UInt8>
  ) throws(APIError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch let error as APIError {
      throw error
    } catch let error as InvalidValue {
      throw APIError(.invalidRequest, error.description)
    } catch let error as DecodingError {
      throw APIError(.invalidRequest, explanation(of: error))
    } catch {
      throw APIError(.invalidRequest, "The JSON cannot be read: \(error)")
    }
  }

  private static func explanation(of error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      "The key \"\(path(context, then: key))\" is missing."
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "The value of \"\(path(context))\" has the wrong type: \(context.debugDescription)"
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      "The body is not JSON: \(cause(of: context))"
    case .dataCorrupted(let context):
      "The value of \"\(path(context))\" is not possible: \(context.debugDescription)"
    @unknown default:
      "The JSON cannot be read: \(error)"
    }
  }

  private static func path(_ context: DecodingError.Context, then key: (any CodingKey)? = nil)
    -> String
  {
    let keys = context.codingPath.map(\.stringValue) + (key.map { [$0.stringValue] } ?? [])
    return keys.isEmpty ? "the whole body" : keys.joined(separator: ".")
  }

  private static func cause(of context: DecodingError.Context) -> String {
    guard let error = context.underlyingError as? NSError,
      let text = error.userInfo["NSDebugDescription"] as? String
    else { return context.debugDescription }
    return text
  }
}
