import Foundation
import Synchronization

/// The treatment of a request.
enum Fault: Sendable {
  /// The request reaches the server, and its answer reaches the client.
  case pass
  /// The closure is called when the whole request is there, which then reaches the server.
  case passAfter(@Sendable () -> Void)
  /// The connection is reset after so many bytes of the body; nothing reaches the server.
  case resetMidBody(after: Int)
  /// So many bytes of the body reach the server, then both connections break.
  case cutMidBody(after: Int)
  /// The connection is reset when the whole request is there; nothing reaches the server.
  case resetBeforeResponse
  /// The server serves the request, and the connection is reset instead of the answer.
  case loseResponse
  /// The given bytes are the answer; nothing reaches the server.
  case respond(String)
  /// The answer never comes.
  case hang
  /// A head comes at once, one byte of a body so many milliseconds later, and then nothing more.
  case fallSilent(afterMilliseconds: UInt32)
  /// The piece is sent over and over, so many milliseconds apart, until the client ends.
  case trickle(head: String, piece: String, milliseconds: UInt32)
  /// A byte of the body is changed before it reaches the server.
  case corruptBody
}

/// A proxy between a client and a server, with faults as planned, one request per connection.
///
/// Without a server the proxy answers `404` to a request without a planned fault.
final class FaultProxy: Sendable {
  /// A request as it was received.
  struct Request: Sendable {
    var method: String
    var target: String
    var head: String
    var bodyByteCount: Int
  }

  private struct State {
    var plan: [(method: String, fault: Fault)] = []
    var requests: [Request] = []
  }

  /// The port on 127.0.0.1.
  let port: UInt16
  private let listener: Int32
  private let upstream: UInt16?
  private let state = Mutex(State())

  /// Listens on a free port.
  init(upstream: UInt16? = nil) throws {
    let (descriptor, port) = try Socket.listen()
    self.listener = descriptor
    self.port = port
    self.upstream = upstream
    Thread.detachNewThread { [weak self] in
      while let connection = Socket.accept(on: descriptor) {
        Thread.detachNewThread { [weak self] in self?.serve(connection) }
      }
      close(descriptor)
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// The URL of the root.
  var url: String { "http://127.0.0.1:\(port)/" }

  /// The requests so far.
  var requests: [Request] { state.withLock { $0.requests } }

  /// Plans a fault for the next unplanned request of a method; `*` stands for any method.
  func plan(_ method: String, _ fault: Fault) {
    state.withLock { $0.plan.append((method, fault)) }
  }

  /// Whether all planned faults have happened.
  var isPlanDone: Bool { state.withLock { $0.plan.isEmpty } }

  private func serve(_ client: Socket) {
    guard let head = client.readHead() else { return }
    let words = head.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count == 3 else { return }
    let length = Self.field("content-length", of: head).flatMap { Int($0) } ?? 0
    let fault = state.withLock { state in
      state.requests.append(
        Request(method: words[0], target: words[1], head: head, bodyByteCount: length))
      let index = state.plan.firstIndex { $0.method == words[0] || $0.method == "*" }
      return index.map { state.plan.remove(at: $0).fault } ?? .pass
    }
    if Self.field("expect", of: head) != nil { client.write("HTTP/1.1 100 Continue\r\n\r\n") }
    if case .resetMidBody(let count) = fault {
      _ = client.read(min(count, length))
      return client.reset()
    }
    if case .cutMidBody(let count) = fault {
      guard let part = client.read(min(count, length)), let server = connect(head) else { return }
      server.write(part)
      // The written bytes must arrive before the end of the connection does.
      server.finishWriting()
      _ = server.readToEnd()
      return client.reset()
    }
    guard var body = client.read(length) else { return }
    switch fault {
    case .cutMidBody, .resetMidBody, .resetBeforeResponse:
      client.reset()
    case .respond(let text):
      client.write(text)
    case .hang:
      _ = client.read(1)
    case .fallSilent(let milliseconds):
      client.write("HTTP/1.1 200 OK\r\n\r\n")
      usleep(milliseconds * 1000)
      client.write("x")
      _ = client.read(1)
    case .trickle(let head, let piece, let milliseconds):
      client.write(head)
      while client.write(piece) { usleep(milliseconds * 1000) }
    case .pass, .passAfter, .loseResponse, .corruptBody:
      if case .passAfter(let action) = fault { action() }
      if case .corruptBody = fault, !body.isEmpty { body[body.count / 2] ^= 0x20 }
      guard let answer = forward(head, body) else { return client.reset() }
      if case .loseResponse = fault { return client.reset() }
      client.write(answer)
    }
  }

  /// Sends a request to the server and returns its whole answer.
  private func forward(_ head: String, _ body: [UInt8]) -> [UInt8]? {
    guard upstream != nil else {
      return Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
    }
    guard let server = connect(head) else { return nil }
    server.write(body)
    return Self.closing(server.readToEnd())
  }

  /// Returns an answer that says that its connection ends, which not every server repeats.
  ///
  /// A client would send its next request on the connection while that is being closed.
  private static func closing(_ answer: [UInt8]) -> [UInt8] {
    guard let lineEnd = answer.firstIndex(of: UInt8(ascii: "\n")) else { return answer }
    return answer[...lineEnd] + Array("Connection: close\r\n".utf8) + answer[(lineEnd + 1)...]
  }

  /// Connects to the server and sends it the head of a request.
  private func connect(_ head: String) -> Socket? {
    guard let upstream, let server = Socket.connect(to: upstream) else { return nil }
    let lines = head.components(separatedBy: "\r\n").filter {
      !$0.isEmpty && !$0.lowercased().hasPrefix("expect:")
    }
    server.write((lines + ["Connection: close", "", ""]).joined(separator: "\r\n"))
    return server
  }

  private static func field(_ name: String, of head: String) -> String? {
    for line in head.components(separatedBy: "\r\n") where line.lowercased().hasPrefix(name + ":") {
      return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }
    return nil
  }
}

/// Makes an answer with a body and its length.
func answer(_ status: String, _ headers: [String] = [], body: String = "") -> String {
  (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers)
    .joined(separator: "\r\n") + "\r\n\r\n" + body
}
