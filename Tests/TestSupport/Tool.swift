package import Foundation

/// The result of an external program that was run to its end.
package struct Tool: Sendable {
  /// The error that a program ended with a status other than 0.
  package struct Failure: Error, CustomStringConvertible {
    /// The program, its status and its output.
    package let description: String
  }

  /// The program's exit status.
  package let exitCode: Int32
  /// The bytes of the program's standard output.
  package let outputData: Data
  /// The text of the program's standard error.
  package let complaint: String

  /// The program's standard output as text.
  package var output: String { String(decoding: outputData, as: UTF8.self) }

  package init(exitCode: Int32, outputData: Data, complaint: String) {
    self.exitCode = exitCode
    self.outputData = outputData
    self.complaint = complaint
  }

  /// Runs a program on its own thread, as the tested code shares the threads of the tests.
  ///
  /// - Parameters:
  ///   - program: the program's path, or its name in `PATH`.
  ///   - environment: variables for the program besides ours.
  /// - Throws: an error of Foundation when the program cannot be started.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Tool {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try runHere(program, arguments, environment: environment) })
      }
    }
  }

  /// Runs a program while the calling thread waits; see ``run(_:_:environment:)``.
  package static func runHere(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Tool {
    let process = Process()
    let isPath = program.contains("/")
    process.executableURL = URL(fileURLWithPath: isPath ? program : "/usr/bin/env")
    process.arguments = (isPath ? [] : [program]) + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    // Files and no pipes: a server that the program leaves behind would keep a pipe open.
    let directory = TemporaryDirectory(on: .memory)
    let streams = ["output", "complaint"].map {
      URL(fileURLWithPath: directory.path + "/" + $0)
    }
    for stream in streams { try Data().write(to: stream) }
    let handles = try streams.map { try FileHandle(forWritingTo: $0) }
    // A process keeps its file handles, also after its end.
    defer { for handle in handles { try? handle.close() } }
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    try process.run()
    // `waitUntilExit` also waits for the processes that the program leaves behind: they inherit the
    // socket by which it notices an end (swift-corelibs-foundation #4795).
    var end = siginfo_t()
    while waitid(P_PID, id_t(process.processIdentifier), &end, WEXITED | WNOWAIT) < 0 {
      // `ECHILD` tells that Foundation has reaped the process since.
      guard errno == EINTR else {
        process.waitUntilExit()
        break
      }
    }
    return Tool(
      exitCode: end._sifields._sigchld.si_pid == 0
        ? process.terminationStatus : end._sifields._sigchld.si_status,
      outputData: try Data(contentsOf: streams[0]),
      complaint: String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self))
  }

  /// Returns the bytes that a program prints, while the calling thread waits.
  ///
  /// - Throws: ``Failure`` when the status is not 0, or an error of Foundation when the program
  ///   cannot be started.
  package static func output(of program: String, _ arguments: [String]) throws -> Data {
    try runHere(program, arguments).whenItSucceeded(program, arguments).outputData
  }

  /// Returns this result if its status is 0.
  ///
  /// - Throws: ``Failure``.
  package func whenItSucceeded(_ program: String, _ arguments: [String]) throws -> Tool {
    guard exitCode == 0 else {
      throw Failure(
        description: "\(program) \(arguments) ended with \(exitCode): \(output)\(complaint)")
    }
    return self
  }
}
