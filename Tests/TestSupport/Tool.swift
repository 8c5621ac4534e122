public import Foundation

/// A program of another house that was run to its end, as a referee or as a hand.
public struct Tool: Sendable {
  /// A program that ended with another status than 0.
  public struct Failure: Error, CustomStringConvertible {
    /// The program, its status and what it said.
    public let description: String
  }

  /// Its exit status.
  public let exitCode: Int32
  /// The bytes of its standard output.
  public let outputData: Data
  /// The text of its standard error.
  public let complaint: String

  /// Its standard output as text.
  public var output: String { String(decoding: outputData, as: UTF8.self) }

  /// Makes the result of what was run otherwise.
  public init(exitCode: Int32, outputData: Data, complaint: String) {
    self.exitCode = exitCode
    self.outputData = outputData
    self.complaint = complaint
  }

  /// Runs a program on a thread of its own: the tests' threads are also those of what they test.
  ///
  /// - Parameters:
  ///   - program: its path, or its name in `PATH`.
  ///   - environment: variables that it has besides ours.
  /// - Throws: an error of Foundation when it cannot be started.
  public static func run(
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
  public static func runHere(
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
    // A process keeps what it was given, also after its end.
    defer { for handle in handles { try? handle.close() } }
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    try process.run()
    process.waitUntilExit()
    return Tool(
      exitCode: process.terminationStatus, outputData: try Data(contentsOf: streams[0]),
      complaint: String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self))
  }

  /// Returns the bytes that a program prints, while the calling thread waits.
  ///
  /// - Throws: ``Failure`` when its status is not 0, an error of Foundation when it cannot be started.
  public static func output(of program: String, _ arguments: [String]) throws -> Data {
    try runHere(program, arguments).whenItSucceeded(program, arguments).outputData
  }

  /// Returns this result if its status is 0.
  ///
  /// - Throws: ``Failure``.
  public func whenItSucceeded(_ program: String, _ arguments: [String]) throws -> Tool {
    guard exitCode == 0 else {
      throw Failure(
        description: "\(program) \(arguments) ended with \(exitCode): \(output)\(complaint)")
    }
    return self
  }
}
