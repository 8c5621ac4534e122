import Devices
import Foundation

/// The socket on which systemd listens; it keeps the messages of services (`sd_notify(3)`).
final class NotifySocket: Sendable {
  struct Failure: Error {}

  /// The value for `NOTIFY_SOCKET`.
  let path: String
  /// The datagrams in the order of their arrival; ends with ``finish()``.
  let messages: AsyncStream<String>
  private let descriptor: Int32

  init() throws {
    let path = "/tmp/platen-notify-\(UUID().uuidString.prefix(8))"
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let bound = UnixAddress(path).with { bind(descriptor, $0, $1) }
    guard bound == 0 else { throw Failure() }
    let (messages, continuation) = AsyncStream.makeStream(of: String.self)
    self.path = path
    self.descriptor = descriptor
    self.messages = messages
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        // An empty datagram, or an error, is the end.
        guard count > 0 else { break }
        continuation.yield(String(decoding: buffer.prefix(count), as: UTF8.self))
      }
      continuation.finish()
      close(descriptor)
    }
  }

  /// Ends the messages after all earlier ones.
  func finish() {
    send("")
    unlink(path)
  }

  /// Sends a datagram into the socket, as a mark between the service's.
  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = UnixAddress(path).with { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
  }
}

/// Changes the environment of the process for the duration of a call; `nil` removes a variable.
func withEnvironment(
  _ variables: [String: String?], _ body: () async throws -> Void
) async rethrows {
  let before = variables.keys.map { ($0, getenv($0).map { String(cString: $0) }) }
  func set(_ name: String, _ value: String?) {
    if let value { setenv(name, value, 1) } else { unsetenv(name) }
  }
  for (name, value) in variables { set(name, value) }
  defer { for (name, value) in before { set(name, value) } }
  try await body()
}
