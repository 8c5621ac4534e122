import Foundation
import Testing
import TestSupport

/// `openssl s_server` with a certificate for 127.0.0.1 made for it.
///
/// The output has the bytes that clients send after the handshake.
final class TLSServer: Sendable {
  /// The certificate, which is also the authority to trust.
  let certificate: String
  /// The port on 127.0.0.1.
  let port: UInt16
  private let output: String
  private let process: Process

  /// Starts a server.
  ///
  /// - Parameter options: further options of `openssl s_server`.
  init(in directory: TemporaryDirectory, _ options: [String] = []) async throws {
    let name = UUID().uuidString
    certificate = try await Self.makeCertificate(name, in: directory)
    let output = directory.path + "/\(name).out"
    self.output = output
    try Data().write(to: URL(fileURLWithPath: output))
    let process = Process()
    self.process = process
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments =
      [
        "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key",
        Self.key(of: certificate),
      ] + options
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = FileHandle.nullDevice
    // Without an end of its input the server goes on waiting for connections.
    process.standardInput = Pipe()
    try process.run()
    var found: UInt16?
    try await eventually {
      let line = try String(contentsOfFile: output, encoding: .utf8)
        .split(separator: "\n").first { $0.hasPrefix("ACCEPT 127.0.0.1:") }
      found = line?.split(separator: ":").last.flatMap { UInt16($0) }
      return found != nil || !process.isRunning
    }
    port = try #require(found, "openssl s_server does not listen")
  }

  // Children inherit the blocked signals, and here SIGTERM is blocked.
  deinit { kill(process.processIdentifier, SIGKILL) }

  /// The URL of the root.
  var url: String { "https://127.0.0.1:\(port)/" }

  /// Returns the server's output: the requests that reached it, and reports of connections.
  func received() throws -> String { try String(contentsOfFile: output, encoding: .utf8) }

  /// Returns the SHA-256 of the public key in Base64, as `openssl` computes it.
  static func pin(of certificate: String) async throws -> String {
    try await run(
      "/bin/sh",
      [
        "-c",
        """
        openssl x509 -in "$1" -noout -pubkey | openssl pkey -pubin -outform der |
        openssl dgst -sha256 -binary | openssl base64 -A
        """, "sh", certificate,
      ])
  }

  /// Makes a self-signed certificate for 127.0.0.1, with its key beside it.
  static func makeCertificate(
    _ name: String, in directory: TemporaryDirectory
  ) async throws -> String {
    let certificate = directory.path + "/\(name).pem"
    try await run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-subj", "/CN=rig", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-out",
        certificate, "-keyout", key(of: certificate),
      ])
    return certificate
  }

  /// Returns the path of the key of a certificate made here.
  static func key(of certificate: String) -> String { certificate + ".key" }
}
