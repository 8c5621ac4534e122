import API
import Devices
import Foundation
import Glibc
import RigConfiguration
import Transfer

/// A probe of the connection to a target: name, TCP, and TLS with HTTPS.
///
/// The probe never sends the credentials.
struct TargetProbe: Sendable {
  let clock: any MonotonicClock
  var threads = ProbeThread.targets
  /// Returns whether this process may read a file that the service reads.
  ///
  /// A file that this process may not read proves nothing about the service.
  var mayRead: @Sendable (String) -> Bool = { _ in true }

  /// The part of a target's place that the probe needs.
  struct Place: Sendable, Hashable {
    var target: String
    var url: String
    var security = TransferSecurity()
  }

  /// Tries the connection; takes at most three steps of ``ProbeThread/timeout``.
  func probe(_ place: Place) async -> TargetProbeReport {
    guard let url = URLComponents(string: place.url), let host = url.host, !host.isEmpty else {
      return TargetProbeReport(
        target: place.target, endpoint: "", failedStep: .resolve, problem: "the URL has no host")
    }
    let scheme = url.scheme?.lowercased() ?? "http"
    let isSecure = scheme == "https"
    let usualPort: UInt16 = ["https": 443, "sftp": 22][scheme] ?? 80
    let port = url.port.flatMap { UInt16(exactly: $0) } ?? usualPort
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    var way = Way(target: place.target, endpoint: "\(host):\(port)")

    let found = await threads.run(clock) { SocketAddress.find(bare, port: port) }
    guard case .answered(let result) = found, !result.addresses.isEmpty else {
      switch found {
      case .answered(let result): way.problem = result.problem
      case .busy(let problem): way.problem = problem
      case .late: break
      }
      return way.report(failing: .resolve)
    }
    way.addresses = result.addresses.map(\.text)
    let connected = await threads.run(clock) { [clock] in
      Self.connect(to: result.addresses, clock)
    }
    guard case .answered(.success(let time)) = connected else {
      switch connected {
      case .answered(.failure(let failure)): way.problem = failure.text
      case .busy(let problem): way.problem = problem
      case .answered(.success), .late: break
      }
      return way.report(failing: .connect)
    }
    way.milliseconds = time.inMilliseconds
    guard isSecure else { return way.report(failing: nil) }
    let hidden = await threads.run(clock) { [mayRead] in
      place.security.files.first { !mayRead($0) }
    }
    if case .answered(let path?) = hidden {
      way.untried = "this account may not read \"\(path)\""
      return way.report(failing: nil)
    }
    return await secure("https://\(host):\(port)/", place.security, &way)
  }

  private struct Failure: Error, Hashable {
    var text: String
  }

  private struct Way {
    var target: String
    var endpoint: String
    var addresses: [String] = []
    var milliseconds: Double?
    var isSecured: Bool?
    var problem: String?
    /// The reason why TLS was not tried; `nil` when it was.
    var untried: String?

    func report(failing step: TargetProbeReport.Step?) -> TargetProbeReport {
      TargetProbeReport(
        target: target, endpoint: endpoint, addresses: addresses,
        connectMilliseconds: milliseconds, isSecured: isSecured, failedStep: step,
        problem: step == nil ? untried : problem ?? "no answer within \(ProbeThread.timeout)")
    }
  }

  /// Returns whether this process may read a file, or the file does not exist.
  static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 || errno != EACCES }

  /// Connects to the first address that accepts, within ``ProbeThread/timeout`` for all addresses.
  private static func connect(
    to addresses: [SocketAddress], _ clock: any MonotonicClock
  ) -> Result<Duration, Failure> {
    let start = clock.now
    var last = Failure(text: "no answer within \(ProbeThread.timeout)")
    for (index, address) in addresses.prefix(4).enumerated() {
      let attempt = clock.now
      let others = Double(min(4, addresses.count) - index)
      let left = (ProbeThread.timeout - start.duration(to: attempt)) / others
      guard left > .zero else { break }
      let descriptor = address.connectedSocket(SOCK_STREAM)
      guard descriptor >= 0 else {
        last = Failure(text: "\(address.text): \(SystemError(descriptor))")
        continue
      }
      defer { close(descriptor) }
      var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&poller, 1, Int32(max(1, left.inMilliseconds))) > 0 else {
        last = Failure(text: "\(address.text): no answer within \(ProbeThread.timeout)")
        continue
      }
      var number: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
      if number == 0 { return .success(attempt.duration(to: clock.now)) }
      last = Failure(text: "\(address.text): \(SystemError(number))")
    }
    return .failure(last)
  }

  /// Sends a HEAD request for the root; any answer proves that the connection was secured.
  private func secure(
    _ url: String, _ security: TransferSecurity, _ way: inout Way
  ) async -> TargetProbeReport {
    let request = HTTPRequest(
      method: "HEAD", url: url, connectTimeout: ProbeThread.timeout,
      stallTimeout: ProbeThread.timeout, totalTimeout: ProbeThread.timeout, security: security)
    do throws(TransferError) {
      _ = try await HTTPClient(userAgent: "platen/\(PlatenVersion.current)").send(request)
      way.isSecured = true
    } catch {
      // libcurl has one code for all timeouts; only its text distinguishes a handshake from the
      // rest.
      let isHandshake =
        error.code == .timedOut && error.cause?.contains("Operation timed out") != true
      way.isSecured = error.code != .tls && !isHandshake
      if way.isSecured == false {
        way.problem = error.cause ?? error.problem
        return way.report(failing: .tls)
      }
    }
    return way.report(failing: nil)
  }
}

extension TransferSecurity {
  /// The files that a connection needs.
  fileprivate var files: [String] {
    [certificateAuthorityFile, clientCertificateFile, clientKeyFile].compactMap(\.self)
  }
}
