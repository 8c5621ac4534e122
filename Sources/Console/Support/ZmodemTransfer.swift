import Foundation
import Synchronization

/// A transfer of a file over the terminal by ZMODEM, with `sz` of Debian's package lrzsz.
///
/// The receiving program, in whose window the terminal runs, starts by itself. `sz` receives its
/// input through a socket, because other parts of this process read the terminal.
package struct ZmodemTransfer: Sendable {
  /// The reason why a file did not arrive.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that ends with the cause.
    package let description: String

    /// The failure without a terminal.
    package static let withoutTerminal = Failure(
      description: "ZMODEM needs a terminal at both the input and the output; use --output.")
  }

  /// The program's path in Debian's package.
  package static let program = "/usr/bin/sz"
  /// The byte of Ctrl-C, which no receiver sends: a person at the keyboard gives up.
  private static let interrupt: UInt8 = 0x03
  /// The bytes that end a transfer at the receiver.
  private static let cancel: [UInt8] =
    Array(repeating: 0x18, count: 8) + Array(repeating: 0x08, count: 8)

  private let program: String

  /// Creates a transfer.
  ///
  /// - Throws: ``Failure`` when the program is not installed.
  package init(program: String = ZmodemTransfer.program) throws(Failure) {
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw Failure(
        description: "There is no program \"\(program)\" on this machine: it comes with the "
          + "package lrzsz. Use --base64, or --output with a removable drive.")
    }
    self.program = program
  }

  /// Sends a file; ends early on Ctrl-C or when the task is cancelled.
  ///
  /// - Throws: ``Failure`` when the receiver does not have the whole file.
  package func send(_ path: String, over terminal: any LentTerminal) async throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw Failure(description: "sz cannot be started: \(String(cString: strerror(errno))).")
    }
    let (ours, theirs) = (ends[0], ends[1])
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    defer { close(ours) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    // All control characters are escaped, because lines with flow control swallow some.
    process.arguments = ["--binary", "--escape", "--quiet", "--", path]
    process.environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    process.standardInput = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
    process.standardOutput = FileHandle(fileDescriptor: terminal.output, closeOnDealloc: false)
    process.standardError = FileHandle.nullDevice
    let run = ChildRun(process)
    let wasInterrupted = Mutex(false)
    await terminal.lend(to: { bytes in
      if bytes.contains(Self.interrupt) {
        wasInterrupted.withLock { $0 = true }
        return run.kill()
      }
      // The program may have ended, in which case the socket has no reader.
      _ = bytes.withUnsafeBytes {
        Foundation.send(ours, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
    }) {
      await withTaskCancellationHandler {
        await run.untilEnded()
      } onCancel: {
        run.kill()
      }
      if run.status != 0 {
        _ = Self.cancel.withUnsafeBytes { write(terminal.output, $0.baseAddress, $0.count) }
      }
    }
    guard run.status == 0 else {
      if wasInterrupted.withLock({ $0 }) || Task.isCancelled {
        throw Failure(description: "The transfer was interrupted.")
      }
      throw Failure(
        description: run.failure
          ?? "The other end did not receive it (sz ended with \(run.status)). Is there a program "
          + "that speaks ZMODEM, for example minicom or picocom with rz?")
    }
  }
}

/// A child process that is started, awaited and perhaps killed.
private final class ChildRun: Sendable {
  private struct State {
    var status: Int32 = -1
    var failure: String?
    var isKilled = false
    var number: pid_t = 0
  }

  private let process: Process
  private let state = Mutex(State())

  init(_ process: Process) { self.process = process }

  /// The exit status; 128 or more after a signal, -1 if the program was not started.
  var status: Int32 { state.withLock { $0.status } }
  /// The reason why the program was not started.
  var failure: String? { state.withLock { $0.failure } }

  /// Starts the program and waits for its end.
  func untilEnded() async {
    await withCheckedContinuation { continuation in
      process.terminationHandler = { [self] process in
        let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
        state.withLock { state in
          state.status = process.terminationStatus + signal
          state.number = 0
        }
        continuation.resume()
      }
      do {
        try process.run()
        let number = process.processIdentifier
        let isKilled = state.withLock { state in
          if state.status == -1 { state.number = number }
          return state.isKilled
        }
        if isKilled { kill() }
      } catch {
        state.withLock { state in
          state.failure = "sz cannot be started: \((error as NSError).localizedDescription)."
        }
        continuation.resume()
      }
    }
  }

  /// Kills the program.
  func kill() {
    let number = state.withLock { state in
      state.isKilled = true
      return state.number
    }
    if number > 0 { Foundation.kill(number, SIGKILL) }
  }
}
