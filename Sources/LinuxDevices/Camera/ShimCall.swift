import CLibcameraShim

/// The outcome of a call of the shim: a negative `errno` or a result, and the cause in words.
struct ShimOutcome {
  /// The status: 0 or a count, or a negative `errno`.
  var status: Int32
  /// The shim's words for a failure; empty on success.
  var cause: String

  /// Calls the shim with room for a cause.
  static func of(_ call: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> ShimOutcome {
    let capacity = 512
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { text in
      text.initialize(repeating: 0)
      guard let start = text.baseAddress else { return ShimOutcome(status: 0, cause: "") }
      let status = call(start, capacity)
      return ShimOutcome(status: status, cause: shimText(UnsafeRawBufferPointer(text)))
    }
  }
}

/// Reads a C string out of memory of fixed size.
func shimText(_ bytes: UnsafeRawBufferPointer) -> String {
  String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}

/// Reads a C string out of an array in a C structure, which Swift sees as a tuple.
func shimText<Characters>(of characters: Characters) -> String {
  withUnsafeBytes(of: characters) { shimText($0) }
}
