import Foundation
import Testing
import TestSupport

/// A real `sshd` on 127.0.0.1 that offers SFTP only, with keys made for it.
///
/// The server runs as the user of the tests, who is also the user that logs in.
final class SSHServer: Sendable {
  /// The port on 127.0.0.1.
  let port: UInt16
  /// The fingerprint of the host key as `ssh-keygen -lf` prints it.
  let fingerprint: String
  /// The server's line for a file of known hosts.
  let knownHost: String
  /// The file with a private key that may log in.
  let key: String
  private let process: Process
  /// The process ID of `sshd`.
  private let server: Int32

  /// Starts a server; started again in the same directory, it has the same keys.
  ///
  /// - Parameter port: the port to listen at; `nil` for a free one.
  init(in directory: TemporaryDirectory, port: UInt16? = nil) async throws {
    let chosen = try port ?? LocalPort.free()
    let login = directory.path + "/login"
    let host = directory.path + "/host"
    for file in [login, host] where !FileManager.default.fileExists(atPath: file) {
      try await Self.makeKey(file)
    }
    let words = try await run("/usr/bin/ssh-keygen", ["-lf", host]).split(separator: " ")
    fingerprint = String(words[1])
    let publicKey = try String(contentsOfFile: host + ".pub", encoding: .utf8)
    knownHost =
      "[127.0.0.1]:\(chosen) " + publicKey.split(separator: " ").prefix(2).joined(separator: " ")
    if getuid() == 0 {
      // The directory that Debian's unit makes for the separation of privileges.
      try FileManager.default.createDirectory(
        atPath: "/run/sshd", withIntermediateDirectories: true)
    }
    let configuration = directory.path + "/sshd_config"
    try """
    Port \(chosen)
    ListenAddress 127.0.0.1
    HostKey \(host)
    AuthorizedKeysFile \(login).pub
    StrictModes no
    UsePAM no
    PidFile none
    PasswordAuthentication no
    PermitRootLogin prohibit-password
    Subsystem sftp internal-sftp
    ForceCommand internal-sftp

    """.write(toFile: configuration, atomically: false, encoding: .utf8)
    self.port = chosen
    key = login
    let log = directory.path + "/sshd-\(UUID().uuidString).log"
    try Data().write(to: URL(fileURLWithPath: log))
    let process = Process()
    self.process = process
    // sshd closes every descriptor, and Foundation takes the end of one of them for the end of the
    // process, for which it then waits before it looks at any other. A shell keeps it open.
    let pidFile = directory.path + "/sshd-\(UUID().uuidString).pid"
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "/usr/sbin/sshd -D -e -f \"$1\" & echo $! >\"$2\"; wait", "sh", configuration, pidFile,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
    try process.run()
    var started: Int32?
    try await eventually {
      let isListening = try String(contentsOfFile: log, encoding: .utf8).contains("listening on")
      // The shell may write the number after the server's first words.
      let line = (try? String(contentsOfFile: pidFile, encoding: .utf8)) ?? ""
      if isListening, line.hasSuffix("\n") { started = Int32(line.dropLast()) }
      return started != nil || !process.isRunning
    }
    let said = try String(contentsOfFile: log, encoding: .utf8)
    server = try #require(started, "sshd does not listen: \(said)")
  }

  // Children inherit the blocked signals, and here SIGTERM is blocked.
  deinit {
    for number in [server, process.processIdentifier] { kill(number, SIGKILL) }
  }

  /// Ends the server and all its connections at once.
  func end() async throws {
    try await run(
      "/bin/sh",
      [
        "-c",
        """
        end() { for child in $(pgrep -P "$1"); do end "$child"; done; kill -9 "$1" || true; }
        end "$1"
        """, "sh", String(process.processIdentifier),
      ])
  }

  /// Makes a key without a passphrase, with its public key in `<file>.pub`.
  static func makeKey(_ file: String) async throws {
    try await run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file])
  }
}
