import ArgumentParser
import Devices
import Foundation

/// The requests over a Unix socket without a library between, so that only the service is measured.
enum UnixRequest {
  /// Connects and sends a request.
  ///
  /// - Returns: the connection, to be closed by the caller.
  static func open(_ method: String, _ path: String, over socketPath: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw failure("socket") }
    guard socketPath.utf8.count <= UnixAddress.maximumPathBytes else {
      throw ValidationError("the socket's path is too long")
    }
    let connected = UnixAddress(socketPath).with { connect(descriptor, $0, $1) }
    guard connected == 0 else {
      defer { close(descriptor) }
      throw failure("connect")
    }
    let length = method == "GET" ? "" : "Content-Length: 0\r\n"
    let request =
      "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(length)Connection: close\r\n\r\n"
    let sent = Array(request.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard sent == request.utf8.count else {
      defer { close(descriptor) }
      throw failure("write")
    }
    return descriptor
  }

  /// Sends a request and reads the object in the answer.
  static func json(
    _ method: String, _ path: String, over socketPath: String
  ) throws -> [String: Any] {
    let descriptor = try open(method, path, over: socketPath)
    defer { close(descriptor) }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      answer += buffer[..<count]
    }
    guard let start = answer.firstIndex(of: UInt8(ascii: "{")),
      let end = answer.lastIndex(of: UInt8(ascii: "}")), start < end,
      let object = try JSONSerialization.jsonObject(with: Data(answer[start...end]))
        as? [String: Any]
    else { throw ValidationError("\(method) \(path) was not answered with an object") }
    return object
  }

  private static func failure(_ call: String) -> ValidationError {
    ValidationError("\(call): \(SystemError.last)")
  }
}
