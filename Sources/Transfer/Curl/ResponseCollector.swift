/// A collector of a response's head and body from libcurl's callbacks, with size limits.
struct ResponseCollector {
  /// The reason why a piece was refused.
  enum Refusal: Hashable {
    /// The head, including all earlier interim responses, is too long.
    case headTooLarge
    /// The body is longer than the request allows.
    case bodyTooLarge
    /// The reader wants no more bytes.
    case readerIsDone
  }

  /// The most bytes of all heads of an exchange, which also limits a flood of `100 Continue`.
  static let maximumHeadBytes = 256 * 1024

  private(set) var response = HTTPResponse(status: 0)
  private let maximumBodyBytes: Int
  private let reader: HTTPClient.AnswerReader?
  private var headBytes = 0

  init(maximumBodyBytes: Int, reader: HTTPClient.AnswerReader?) {
    self.maximumBodyBytes = maximumBodyBytes
    self.reader = reader
  }

  /// Takes a line of a head; a status line begins a new head.
  mutating func addHead(line: UnsafeRawBufferPointer) -> Refusal? {
    headBytes += line.count
    guard headBytes <= Self.maximumHeadBytes else { return .headTooLarge }
    if line.starts(with: "HTTP/".utf8) {
      response = HTTPResponse(status: Self.status(inLine: line))
    } else if let header = HTTPHeader(line: line) {
      response.headers.append(header)
    }
    return nil
  }

  /// Takes a piece of the body.
  mutating func addBody(_ bytes: UnsafeRawBufferPointer) -> Refusal? {
    if let reader, response.isSuccess {
      return reader(response, bytes) ? nil : .readerIsDone
    }
    guard response.body.count + bytes.count <= maximumBodyBytes else { return .bodyTooLarge }
    response.body.append(contentsOf: bytes)
    return nil
  }

  /// Parses the status of a line such as `HTTP/1.1 201 Created`; 0 if there is none.
  private static func status(inLine line: UnsafeRawBufferPointer) -> Int {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count >= 2 else { return 0 }
    let text = String(decoding: words[1].prefix { $0 > 0x20 }, as: UTF8.self)
    return Int(text) ?? 0
  }
}
