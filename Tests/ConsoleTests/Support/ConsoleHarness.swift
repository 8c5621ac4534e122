import Console
import Devices
import Foundation
import Synchronization
import TestSupport

/// A file without a name that keeps the written text.
final class Recording: Sendable {
  let descriptor: Int32

  init() {
    var path = Array("/tmp/platen-console-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    unlink(path)
  }

  /// The text written so far.
  var text: String {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size > 0 else { return "" }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  deinit { close(descriptor) }
}

/// A terminal whose other side belongs to the test, which reads it when it likes.
final class PseudoTerminal: Sendable {
  /// The terminal's descriptor.
  let descriptor: Int32
  private let master: Int32
  private let seen = Mutex<[UInt8]>([])

  /// The error of a system without pseudoterminals.
  private struct NoTerminal: Error {}

  /// Makes a terminal of 80 columns.
  ///
  /// - Parameter rows: the height; 0 for an unknown one.
  init(rows: UInt16) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw NoTerminal() }
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    (self.master, descriptor) = (master, slave)
  }

  /// The text shown so far, with ends of lines as a program writes them.
  var text: String {
    seen.withLock { seen in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = Foundation.read(master, &buffer, buffer.count)
        guard count > 0 else { break }
        seen += buffer[..<count]
      }
      return Self.text(seen)
    }
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  /// Types as much as the terminal takes at once.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(master, bytes, bytes.count)
  }

  /// Waits until typed input can be read; blocks the calling thread.
  func untilReadable() {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&event, 1, -1)
  }

  /// Waits until a text is shown; blocks the calling thread.
  func read(until text: String) { read { $0.contains(text) } }

  /// Waits until the shown text meets the condition, reading a little each time.
  ///
  /// Blocks the calling thread.
  func read(until isAwaited: (String) -> Bool) {
    while true {
      let shown = seen.withLock { seen in
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(master, &buffer, buffer.count)
        if count > 0 { seen += buffer[..<count] }
        return Self.text(seen)
      }
      if isAwaited(shown) { return }
      var event = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      _ = poll(&event, 1, -1)
    }
  }

  deinit {
    close(descriptor)
    close(master)
  }
}

/// A session on a dumb terminal, or on a pipe, whose bytes come from the test.
struct ConsoleStage {
  let input: TerminalInput
  let commands = FakeCommands()
  let clock: ManualClock
  let output = Recording()
  let complaints = Recording()
  let session: ConsoleSession

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - terminal: the terminal to write to in place of `output`.
  ///   - onStuck: called instead of the program's end.
  init(
    kind: TerminalKind, idleLogout: Duration? = nil, terminal: PseudoTerminal? = nil,
    onStuck: @escaping @Sendable () -> Void = {}
  ) {
    clock = ManualClock()
    input = TerminalInput(clock: clock)
    let descriptor = terminal?.descriptor ?? output.descriptor
    let reader = LineReader(
      input: input, kind: kind, descriptors: (-1, descriptor),
      history: CommandHistory(path: nil), guide: NoHelp())
    session = ConsoleSession(
      input: input, reader: reader, kind: kind, output: descriptor,
      complaints: complaints.descriptor, commands: commands, idleLogout: idleLogout,
      clock: clock, onStuck: onStuck)
  }
}

/// A guide for lines without editing.
struct NoHelp: LineGuide {
  func complete(_ line: String) -> (insertion: String, lines: [String]) { ("", []) }
  func help(_ line: String) -> [String]? { nil }
}
