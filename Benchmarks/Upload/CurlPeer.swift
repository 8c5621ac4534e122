import ArgumentParser
import Devices
import Foundation

/// A `curl` that sends files over one connection, one request after the other.
struct CurlPeer {
  /// A request that is made for each file.
  enum Request {
    /// The file is sent under its own name.
    case put
    /// The file is sent under a hidden name.
    case putHidden
    /// The hidden object is read back, without a comparison.
    case getHidden
    /// The hidden object gets its own name.
    case move
  }

  /// The path of curl's list of requests.
  private let list: String

  /// Writes the list of requests for files.
  ///
  /// - Parameters:
  ///   - url: the collection to send to.
  ///   - list: the path of the list.
  init(_ requests: [Request], files: [String], url: String, list: String) throws {
    self.list = list
    let blocks = files.enumerated().flatMap { number, file in
      requests.map { Self.block($0, file: file, url: url, name: "curl-\(number).jpg") }
    }
    // Options hold up to the next block only.
    let text = blocks.map { (Self.common + $0).joined(separator: "\n") + "\n" }
      .joined(separator: "next\n")
    try text.write(toFile: list, atomically: false, encoding: .utf8)
  }

  /// The options of every request; a server is not asked whether it wants a large file.
  private static let common = [
    "silent", "show-error", "fail", "noproxy = \"*\"", "header = \"Expect:\"",
  ]

  private static func block(
    _ request: Request, file: String, url: String, name: String
  ) -> [String] {
    let hidden = "url = \"\(url).\(name).upload\""
    return switch request {
    case .put: ["upload-file = \"\(file)\"", "url = \"\(url)\(name)\""]
    case .putHidden: ["upload-file = \"\(file)\"", hidden]
    case .getHidden: ["output = \"/dev/null\"", hidden]
    case .move:
      [
        "request = \"MOVE\"", "header = \"Destination: \(url)\(name)\"",
        "header = \"Overwrite: T\"", hidden,
      ]
    }
  }

  /// Makes all requests, and returns the time in seconds.
  func seconds() throws -> Double {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
    process.arguments = ["-q", "--fail-early", "-K", list]
    process.standardOutput = FileHandle.nullDevice
    let clock = SystemMonotonicClock()
    let began = clock.now
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ValidationError("curl ended with \(process.terminationStatus)")
    }
    return began.duration(to: clock.now).inMilliseconds / 1000
  }
}
