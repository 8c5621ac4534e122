import API
import Devices
import Glibc

/// A probe that asks a name server for the root servers (RFC 1035), which each server can answer.
struct NameServerProbe: Sendable {
  /// The result of the question.
  struct Answer: Sendable, Hashable {
    /// The time until the answer in milliseconds; `nil` without an answer.
    var milliseconds: Double?
    /// The reason why there was no useful answer.
    var problem: String?
  }

  let clock: any MonotonicClock
  var port: UInt16 = 53
  var threads = ProbeThread.nameServers

  /// Asks a server and waits at most ``ProbeThread/timeout``.
  func ask(_ server: String) async -> Answer {
    guard let address = SocketAddress(server, port: port) else {
      return Answer(problem: "is no address")
    }
    let number = UInt16.random(in: .min ... .max)
    let outcome = await threads.run(clock) { [clock] in
      Self.ask(address, number, clock)
    }
    return switch outcome {
    case .answered(let answer): answer
    case .late: Answer(problem: "does not answer within \(ProbeThread.timeout)")
    case .busy(let problem): Answer(problem: problem)
    }
  }

  /// Returns the question: type NS for the root, recursion desired.
  static func question(_ number: UInt16) -> [UInt8] {
    [
      UInt8(number >> 8), UInt8(number & 0xFF), 0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, 0,
      0, 0, 2, 0, 1,
    ]
  }

  /// Returns an answer's code, 0 for success; `nil` when it does not belong to the question.
  static func code(of answer: [UInt8], to number: UInt16) -> Int? {
    guard answer.count >= 12, UInt16(answer[0]) << 8 | UInt16(answer[1]) == number,
      answer[2] & 0x80 != 0
    else { return nil }
    return Int(answer[3] & 0x0F)
  }

  private static func ask(
    _ address: SocketAddress, _ number: UInt16, _ clock: any MonotonicClock
  ) -> Answer {
    let descriptor = address.connectedSocket(SOCK_DGRAM)
    guard descriptor >= 0 else { return Answer(problem: SystemError(descriptor).description) }
    defer { close(descriptor) }
    let question = question(number)
    let start = clock.now
    guard send(descriptor, question, question.count, 0) == question.count else {
      return Answer(problem: SystemError.last.description)
    }
    while true {
      let left = ProbeThread.timeout - start.duration(to: clock.now)
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left > .zero, poll(&poller, 1, Int32(max(1, left.inMilliseconds))) != 0 else {
        return Answer(problem: "does not answer within \(ProbeThread.timeout)")
      }
      var buffer = [UInt8](repeating: 0, count: 1500)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        return Answer(problem: SystemError.last.description)
      }
      guard let code = code(of: Array(buffer.prefix(count)), to: number) else { continue }
      let time = start.duration(to: clock.now).inMilliseconds
      // The code 2 is a failure of the server itself: it has asked other servers in vain.
      return Answer(
        milliseconds: time, problem: code == 2 ? "answers, but gets no answers itself" : nil)
    }
  }
}
