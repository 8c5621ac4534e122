import API
import Devices
import Foundation
import Glibc
import RigConfiguration
import TestSupport
import Testing

@testable import Doctor

/// A socket of the loopback interface, driven by a test.
private final class LoopbackSocket: Sendable {
  let descriptor: Int32
  let port: UInt16

  init(_ type: __socket_type) throws {
    let loopback = try #require(SocketAddress("127.0.0.1", port: 0))
    let own = socket(AF_INET, Int32(type.rawValue), 0)
    let isBound = loopback.bytes.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) {
        bind(own, $0.baseAddress, socklen_t(raw.count)) == 0
      }
    }
    var name = [UInt8](repeating: 0, count: 128)
    var length = socklen_t(name.count)
    let isNamed = name.withUnsafeMutableBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) { getsockname(own, $0.baseAddress, &length) == 0 }
    }
    descriptor = own
    // The port is the second pair of bytes of a sockaddr_in, the high byte first.
    port = UInt16(name[2]) << 8 | UInt16(name[3])
    try #require(isBound && isNamed)
    if type.rawValue == SOCK_STREAM.rawValue { try #require(listen(own, 8) == 0) }
  }

  deinit { close(descriptor) }

  /// Answers the next datagram on a thread of its own.
  func answerOnce(_ make: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 512)
      var sender = [UInt8](repeating: 0, count: 128)
      var length = socklen_t(sender.count)
      let own = descriptor
      sender.withUnsafeMutableBytes { raw in
        raw.withMemoryRebound(to: sockaddr.self) { sender in
          let count = recvfrom(own, &buffer, buffer.count, 0, sender.baseAddress, &length)
          let answer = make(Array(buffer.prefix(max(0, count))))
          _ = sendto(own, answer, answer.count, 0, sender.baseAddress, length)
        }
      }
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct NameServerProbeTests {
  private func ask(_ server: LoopbackSocket) async -> NameServerProbe.Answer {
    await NameServerProbe(clock: SystemMonotonicClock(), port: server.port).ask("127.0.0.1")
  }

  /// Asks until the answer comes in time: on a busy machine it may be late.
  private func ask(
    _ server: LoopbackSocket, answering make: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) async -> NameServerProbe.Answer {
    while true {
      server.answerOnce(make)
      let answer = await ask(server)
      if answer.milliseconds != nil || Task.isCancelled { return answer }
    }
  }

  @Test func `an answer is timed`() async throws {
    let server = try LoopbackSocket(SOCK_DGRAM)
    let answer = await ask(server) { [$0[0], $0[1], 0x81, 0x80] + $0.dropFirst(4) }
    #expect(answer.problem == nil)
    #expect(answer.milliseconds ?? -1 >= 0)
  }

  @Test func `a server that gets no answers itself is reported`() async throws {
    let server = try LoopbackSocket(SOCK_DGRAM)
    let answer = await ask(server) { [$0[0], $0[1], 0x81, 0x82] + $0.dropFirst(4) }
    #expect(answer.problem == "answers, but gets no answers itself")
    #expect(answer.milliseconds != nil)
  }

  @Test func `silence is no answer`() async throws {
    let server = try LoopbackSocket(SOCK_DGRAM)
    let answer = await ask(server)
    #expect(answer.milliseconds == nil)
    #expect(answer.problem?.contains("does not answer") == true)
  }

  @Test func `a name in place of an address is not asked`() async {
    let answer = await NameServerProbe(clock: SystemMonotonicClock()).ask("name.example")
    #expect(answer.problem == "is no address")
  }

  @Test func `an answer to another question is ignored`() {
    let question = NameServerProbe.question(0xBEEF)
    #expect(question.count == 17)
    #expect(NameServerProbe.code(of: question, to: 0xBEEF) == nil, "it is a question")
    var answer = question
    answer[2] |= 0x80
    #expect(NameServerProbe.code(of: answer, to: 0xBEEF) == 0)
    #expect(NameServerProbe.code(of: answer, to: 0xBEEE) == nil)
    for count in 0..<12 {
      #expect(NameServerProbe.code(of: Array(answer.prefix(count)), to: 0xBEEF) == nil)
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct TargetProbeTests {
  /// A probe without a timeout: a connection of the loopback interface is made or refused at once.
  private let probe = TargetProbe(clock: ManualClock())

  private func report(_ url: String) async -> TargetProbeReport {
    await probe.probe(TargetProbe.Place(target: "t", url: url))
  }

  @Test func `a listening port connects`() async throws {
    let server = try LoopbackSocket(SOCK_STREAM)
    let report = await report("http://127.0.0.1:\(server.port)/dav/")
    #expect(report.failedStep == nil && report.isSecured == nil)
    #expect(report.endpoint == "127.0.0.1:\(server.port)")
    #expect(report.addresses == ["127.0.0.1"])
    #expect(report.connectMilliseconds ?? -1 >= 0)
  }

  @Test func `a closed port refuses`() async throws {
    let port = try LocalPort.free()
    let report = await report("http://127.0.0.1:\(port)/")
    #expect(report.failedStep == .connect)
    #expect(report.problem?.contains("refused") == true, "\(report)")
  }

  /// The domain `.invalid` never has an address (RFC 2606).
  @Test func `a name without an address is not resolved`() async {
    let report = await report("https://nobody.invalid/")
    #expect(report.failedStep == .resolve)
    #expect(report.endpoint == "nobody.invalid:443")
    #expect(report.problem != nil)
  }

  /// Files that this account may not read, the service may read.
  @Test func `a target with an unreadable file is not tried`() async throws {
    let server = try LoopbackSocket(SOCK_STREAM)
    let machine = try FakeMachine()
    try machine.write(
      """
      rig: { id: rig-1 }
      board: simulated
      spool: { directory: /var/lib/platen }
      targets:
        t:
          kind: webdav
          url: "https://127.0.0.1:\(server.port)/"
          client_certificate: /etc/platen/rig.pem
          client_key: /etc/platen/rig.key
      """, to: "/etc/platen/platen.yaml")
    let section = try PlatenConfiguration.load(path: machine.root + "/etc/platen/platen.yaml")
      .targets[0]
    let place = try #require(TargetCheck.Target(section).place)
    let probe = TargetProbe(
      clock: ManualClock(), mayRead: { $0 != "/etc/platen/rig.key" })
    let report = await probe.probe(place)
    #expect(report.failedStep == nil && report.isSecured == nil, "\(report)")
    #expect(report.connectMilliseconds != nil)
    #expect(report.problem == "this account may not read \"/etc/platen/rig.key\"")
    // A missing file is missing for the service as well.
    #expect(TargetProbe.isReadable("/etc/passwd") && TargetProbe.isReadable("/nonexistent/key"))
  }

  @Test func `a silent server is not secured`() async throws {
    let server = try LoopbackSocket(SOCK_STREAM)
    let report = await report("https://127.0.0.1:\(server.port)/")
    #expect(report.connectMilliseconds != nil)
    #expect(report.isSecured != true)
    #expect(report.failedStep == .tls)
  }
}
