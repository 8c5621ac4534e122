import Devices
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

  /// Sends a file; ends early on Ctrl-C or when the task is canceled.
  ///
  /// - Throws: ``Failure`` when the receiver does not have the whole file.
  package func send(_ path: String, over terminal: any LentTerminal) async throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw Failure(description: "sz cannot be started: \(SystemError.last).")
    }
    let (ours, theirs) = (ends[0], ends[1])
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    defer { for descriptor in ends { close(descriptor) } }
    // All control characters are escaped, because lines with flow control swallow some.
    let program = LocalProgram(
      program, ["--binary", "--escape", "--quiet", "--", path],
      passing: [STDIN_FILENO: theirs, STDOUT_FILENO: terminal.output], timeout: nil)
    let run = Mutex<Task<LocalProgram.Outcome, any Error>?>(nil)
    let wasInterrupted = Mutex(false)
    await terminal.lend(to: { bytes in
      if bytes.contains(Self.interrupt) {
        wasInterrupted.withLock { $0 = true }
        run.withLock { $0 }?.cancel()
        return
      }
      // The program may have ended, in which case the socket has no reader.
      _ = bytes.withUnsafeBytes {
        Foundation.send(ours, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
    }) {
      let task = Task { try await program.run() }
      run.withLock { $0 = task }
      if wasInterrupted.withLock({ $0 }) { task.cancel() }
      let result = await withTaskCancellationHandler {
        await task.result
      } onCancel: {
        task.cancel()
      }
      if (try? result.get())?.status != 0 {
        _ = Self.cancel.withUnsafeBytes { write(terminal.output, $0.baseAddress, $0.count) }
      }
    }
    let result = await run.withLock { $0 }?.result
    let status = (try? result?.get())?.status ?? -1
    guard status != 0 else { return }
    if wasInterrupted.withLock({ $0 }) || Task.isCancelled {
      throw Failure(description: "The transfer was interrupted.")
    }
    if case .failure(let error)? = result { throw Failure(description: "\(error)") }
    throw Failure(
      description: "The other end did not receive it (sz ended with \(status)). Is there a program "
        + "that speaks ZMODEM, for example minicom or picocom with rz?")
  }
}
