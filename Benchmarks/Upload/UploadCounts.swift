import Foundation
import Upload

/// The requests of the service that a receiver has logged, as lines of connection and user agent.
struct RequestLog {
  /// The path of the log; `nil` where there is none.
  let path: String?

  /// Returns the connection of each request of the service so far.
  func connections() throws -> [Substring] {
    guard let path else { return [] }
    let ending = " " + HTTPSettings().userAgent
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap {
      $0.hasSuffix(ending) ? $0.dropLast(ending.count) : nil
    }
  }
}

/// The bytes that this process has read from files.
enum FileReading {
  /// The number of bytes so far, from `/proc/self/io`; `nil` where the kernel does not count them.
  ///
  /// Bytes that libcurl receives are not among them, because libcurl calls `recv`.
  static var byteCount: Double? {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("rchar:") }
    return line.flatMap { Double($0.dropFirst("rchar:".count).drop { $0 == " " }) }
  }
}
