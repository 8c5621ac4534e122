import Dispatch
import Foundation
import Synchronization
import Transfer

/// A system program with fixed arguments whose lines are read as they arrive.
///
/// No shell is involved, the environment is ours, and there is no input, as with ``LocalProgram``.
/// Unread output stays in the pipe, and the program waits. A program that waits for an unresponsive
/// disk cannot be killed; its reader continues regardless and leaves a thread behind.
final class FollowedProgram: Sendable {
  private struct State {
    var splitter = LineSplitter()
    var lines: [String] = []
    /// Whether no more lines will arrive.
    var isOver = false
    /// Whether the process has ended, so that its ID may have been reused.
    var isEnded = false
    /// The process ID; 0 if there is nothing to end.
    var number: pid_t = 0
    /// Whether the reader wants no more lines.
    var isLeft = false
    /// The continuation of the reader that waits for a line.
    var waiting: CheckedContinuation<String?, Never>?
  }

  private let process = Process()
  /// The descriptor of the output, owned by the process's pipe.
  private let descriptor: Int32
  /// The queue for blocking reads, which keeps them off the shared threads.
  private let queue = DispatchQueue(label: "console.followed-program")
  private let state = Mutex(State())

  /// Starts a program.
  ///
  /// - Throws: ``LocalProgram/Failure`` when the program does not exist or cannot be started.
  init(_ path: String, _ arguments: [String]) throws(LocalProgram.Failure) {
    let output = Pipe()
    descriptor = output.fileHandleForReading.fileDescriptor
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw LocalProgram.Failure(description: "There is no program \"\(path)\" on this machine.")
    }
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { [weak self] _ in
      self?.state.withLock { state in
        state.isEnded = true
        state.number = 0
      }
    }
    do {
      try process.run()
    } catch {
      throw LocalProgram.Failure(
        description: "\"\(path)\" cannot be started: \((error as NSError).localizedDescription).")
    }
    let number = process.processIdentifier
    state.withLock { state in
      if !state.isEnded { state.number = number }
    }
  }

  deinit { end() }

  /// Waits for the next line; supports one caller at a time.
  ///
  /// - Returns: the line without its terminator; `nil` when the program has ended or the task was
  ///   cancelled.
  func next() async -> String? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isLeft = state.withLock { state in
          if !state.isLeft { state.waiting = continuation }
          return state.isLeft
        }
        guard !isLeft else { return continuation.resume(returning: nil) }
        queue.async { [self] in answer(nextHere()) }
      }
    } onCancel: {
      end()
    }
  }

  /// Ends the program if it still runs, and resumes a waiting reader.
  func end() {
    state.withLock { $0.isLeft = true }
    endProcess()
    answer(nil)
  }

  /// Gives a line to the waiting reader, unless the reader was already told that there is none.
  private func answer(_ line: String?) {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: line)
  }

  private func endProcess() {
    state.withLock { state in
      if state.number > 0 { kill(state.number, SIGKILL) }
    }
  }

  private func nextHere() -> String? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let (line, isOver) = state.withLock { state -> (String?, Bool) in
        state.lines.isEmpty ? (nil, state.isOver) : (state.lines.removeFirst(), false)
      }
      if line != nil || isOver { return line }
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 || !take(buffer.prefix(count)) { finish() }
    }
  }

  /// Takes bytes that were read; returns `false` when a line exceeds the length limit.
  private func take(_ bytes: ArraySlice<UInt8>) -> Bool {
    var complete: [String] = []
    let isShort = bytes.withUnsafeBytes { bytes in
      state.withLock { state in
        do {
          try state.splitter.add(bytes) { complete.append($0) }
          return true
        } catch {
          return false
        }
      }
    }
    state.withLock { [complete] state in state.lines += complete }
    return isShort
  }

  private func finish() {
    endProcess()
    state.withLock { state in
      if let rest = state.splitter.finish() { state.lines.append(rest) }
      state.isOver = true
    }
  }
}
