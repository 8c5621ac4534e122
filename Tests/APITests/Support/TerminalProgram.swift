import Foundation
import Synchronization
import Testing

/// A program on a terminal of its own: a real pseudoterminal, of which the test is the other side.
final class TerminalProgram: Sendable {
  private struct Screen {
    var bytes: [UInt8] = []
    var waiters: [(text: [UInt8], from: Int, continuation: CheckedContinuation<Int?, Never>)] = []
    var isOver = false
    /// Whether the program has ended; what it wrote may still have to be read.
    var isEnded = false
    var isHungUp = false
    /// The terminal's flags when all was read that the program wrote.
    var lastFlags: (input: tcflag_t, lines: tcflag_t)?
  }

  private let master: Int32
  private let slave: Int32
  private let screen = Mutex(Screen())
  private let process: Process
  private let isEnded: AsyncStream<Void>
  private let isRead = AsyncStream.makeStream(of: Void.self)

  /// With an environment of its own a program cannot find its functions' names, so that no
  /// suppression of ThreadSanitizer would match; the same code runs in ConsoleTests, where they are
  /// found.
  private static let sanitizers = ["TSAN_OPTIONS": "report_bugs=0"]

  /// Starts a program on a new terminal.
  ///
  /// - Parameter rows: the terminal's height; 0 for a line that does not say.
  init(
    _ program: String, _ arguments: [String], environment: [String: String], rows: UInt16 = 24
  ) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: rows == 0 ? 0 : 80, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    (self.master, self.slave) = (master, slave)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    // A login on a line gets a locale, too.
    process.environment = ["LANG": "C.UTF-8"].merging(environment) { $1 }
      .merging(Self.sanitizers) { $1 }
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    let (isEnded, continuation) = AsyncStream.makeStream(of: Void.self)
    self.isEnded = isEnded
    self.process = process
    process.terminationHandler = { [self] _ in
      screen.withLock { $0.isEnded = true }
      continuation.finish()
    }
    try process.run()
    Thread.detachNewThread { [self] in read() }
  }

  /// Everything that was shown, ends of lines as a program writes them.
  var shown: String {
    screen.withLock { String(decoding: $0.bytes, as: UTF8.self) }.replacing("\r\n", with: "\n")
  }

  /// Everything that was shown, byte for byte.
  var bytes: [UInt8] { screen.withLock { $0.bytes } }

  /// The flags of the terminal's input and of its lines; `nil` when it was taken away.
  private var flags: (input: tcflag_t, lines: tcflag_t)? {
    var modes = termios()
    guard tcgetattr(slave, &modes) == 0 else { return nil }
    return (modes.c_iflag, modes.c_lflag)
  }

  /// Whether the terminal collects lines and echoes, as it did before the program; after the
  /// program's end, whether it did then.
  var isCooked: Bool {
    let kept = screen.withLock { $0.isOver ? $0.lastFlags : flags }
    guard let (input, lines) = kept else { return false }
    let wanted = tcflag_t(ICANON | ECHO | ISIG)
    return lines & wanted == wanted && input & tcflag_t(ICRNL) != 0
  }

  /// Types, on a thread of its own, because a terminal may take it slowly.
  func type(_ text: String) { type(Array(text.utf8)) }

  /// Types bytes.
  func type(_ bytes: [UInt8]) {
    let master = master
    Thread.detachNewThread {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Waits until a text was shown.
  ///
  /// - Parameter position: where the search begins, in bytes.
  /// - Returns: where the text ends.
  /// - Throws: when the program has closed the terminal without showing it.
  @discardableResult
  func expect(_ text: String, after position: Int = 0) async throws -> Int {
    let end = await withCheckedContinuation { continuation in
      let found: Int?? = screen.withLock { screen in
        let wanted = Array(text.utf8)
        if let end = Self.find(wanted, screen.bytes, position) { return .some(end) }
        if screen.isOver { return .some(nil) }
        screen.waiters.append((wanted, position, continuation))
        return nil
      }
      if let found { continuation.resume(returning: found) }
    }
    return try #require(end, "\"\(text)\" was not shown, but: \(shown.debugDescription)")
  }

  /// Sends the program a signal.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for the program's end, and until all is read that it wrote.
  ///
  /// - Returns: its exit status.
  func end() async -> Int32 {
    for await _ in isEnded {}
    for await _ in isRead.stream {}
    return process.terminationStatus
  }

  /// Takes the terminal away from the program, as a cable that is pulled.
  func hangUp() { screen.withLock { $0.isHungUp = true } }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var event = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      // Our own side of the terminal stays open for a look at its modes, so that nothing but the
      // program's end tells that no more will come.
      let (isEnded, isHungUp) = screen.withLock { ($0.isEnded, $0.isHungUp) }
      var count = 0
      if !isHungUp {
        guard poll(&event, 1, isEnded ? 0 : 50) > 0 || isEnded else { continue }
        if event.revents != 0 { count = Foundation.read(master, &buffer, buffer.count) }
      }
      let flags = count > 0 ? nil : flags
      let satisfied = screen.withLock { screen in
        if count > 0 {
          screen.bytes += buffer[..<count]
        } else {
          (screen.isOver, screen.lastFlags) = (true, flags)
        }
        var satisfied: [(CheckedContinuation<Int?, Never>, Int?)] = []
        screen.waiters.removeAll { waiter in
          let end = Self.find(waiter.text, screen.bytes, waiter.from)
          guard end != nil || screen.isOver else { return false }
          satisfied.append((waiter.continuation, end))
          return true
        }
        return satisfied
      }
      for (continuation, end) in satisfied { continuation.resume(returning: end) }
      if count <= 0 {
        close(master)
        close(slave)
        isRead.continuation.finish()
        return
      }
    }
  }

  private static func find(_ text: [UInt8], _ bytes: [UInt8], _ position: Int) -> Int? {
    guard position + text.count <= bytes.count else { return nil }
    for start in position...(bytes.count - text.count)
    where bytes[start..<(start + text.count)].elementsEqual(text) {
      return start + text.count
    }
    return nil
  }
}
