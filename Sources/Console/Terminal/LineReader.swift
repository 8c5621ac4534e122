import Devices
import Foundation

/// Reads lines and keys of a terminal, a pipe or a file; its blocking waits have a thread of their own.
public actor LineReader {
  private let executor = DispatchQueueExecutor(label: "console.lines")
  private let input: TerminalInput
  private let kind: TerminalKind
  private let descriptors: (input: Int32, output: Int32)
  private let guide: any LineGuide
  private let characters: TerminalCharacters
  private var history: CommandHistory
  private var assembler: LineAssembler
  private var editor: LineEditor?
  private var hasBegun = false

  /// The executor of the reader's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - input: where the bytes come from.
  ///   - kind: what the terminal can do; on one for editing, its modes have to be the console's.
  ///   - descriptors: the terminal.
  ///   - history: the lines that the keys for history find.
  ///   - guide: what Tab and the question mark show.
  ///   - characters: which the terminal knows; what is typed is echoed as it comes.
  ///   - endsOnControlD: whether Ctrl-D at a line's beginning ends the input also where nothing is
  ///     echoed: that of a program on a terminal, which has no other end.
  ///   - maximumBytes: the longest line of a pipe or a file.
  public init(
    input: TerminalInput, kind: TerminalKind, descriptors: (input: Int32, output: Int32),
    history: CommandHistory, guide: any LineGuide, characters: TerminalCharacters = .unicode,
    endsOnControlD: Bool = false, maximumBytes: Int = 4096
  ) {
    self.input = input
    self.kind = kind
    self.descriptors = descriptors
    self.history = history
    self.guide = guide
    self.characters = characters
    assembler = LineAssembler(
      echoes: kind == .dumb, endsOnControlD: endsOnControlD, maximumBytes: maximumBytes)
  }

  /// The lines that were run, the oldest first.
  public var rememberedLines: [String] { history.lines }

  /// Reads a line.
  ///
  /// - Parameter prompt: what stands before it on a terminal.
  public func readLine(prompt: String) -> LineResult {
    if kind == .editing, !hasBegun {
      hasBegun = true
      let context = LineEditor.Context(
        input: input, guide: guide,
        write: { [output = descriptors.output, characters] in
          Self.write(characters.plain($0), output)
        })
      // A line of another terminal's may have what this one does not know.
      let lines = history.lines.filter { characters.plain($0) == $0 }
      editor = LineEditor(descriptors: descriptors, lines: lines, context: context)
      // Without the library a line can still be read.
      if editor == nil { assembler = LineAssembler(echoes: true) }
    }
    let prompt = characters.plain(prompt)
    return editor?.readLine(prompt: prompt) ?? readPlainLine(prompt: prompt)
  }

  /// Remembers a line that is about to be run.
  public func remember(_ line: String) {
    if history.add(line) { editor?.remember(line) }
  }

  /// Ends the editing, so that the terminal has the modes again that it had before.
  ///
  /// - Parameter drains: whether to wait until the terminal has sent what was written
  ///   (`tcdrain(3)`): the kernel drops the rest when the program that it belongs to ends.
  public func end(drains: Bool = true) {
    editor = nil
    guard drains, isatty(descriptors.output) == 1 else { return }
    while tcdrain(descriptors.output) != 0, errno == EINTR {}
  }

  /// Writes all of some bytes; a terminal that takes nothing keeps the reader's own thread only.
  func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) { Self.write(bytes, descriptor) }

  /// Waits for a key.
  ///
  /// - Parameter question: what stands before it, to be asked again after a notice.
  /// - Returns: `nil` at the end of the input, or on Ctrl-C.
  func readKey(after question: String) -> UInt8? {
    while true {
      switch input.next() {
      case .byte(let byte): return byte
      case .interrupt, .end: return nil
      case .notice(let lines):
        show(lines)
        write(question)
      case .resize: continue
      }
    }
  }

  private func readPlainLine(prompt: String) -> LineResult {
    write(prompt)
    var echo = ""
    while true {
      switch input.next() {
      case .byte(let byte):
        let step = assembler.take(byte)
        echo += step.echo
        // What was pasted is echoed as a whole.
        if !echo.isEmpty, step.result != nil || !input.isWaiting {
          write(echo)
          echo = ""
        }
        if let result = step.result { return result }
      case .interrupt:
        // A pipe has nobody who could want another prompt.
        guard kind != .none else { return .ended(.hangUp) }
        assembler = LineAssembler(echoes: true)
        write("^C\n")
        return .interrupted
      case .end(let end):
        return assembler.end(end)
      case .notice(let lines):
        show(lines)
        write(prompt)
      case .resize:
        continue
      }
    }
  }

  private func show(_ lines: [String]) {
    write(characters.plain("\n" + lines.map { $0 + "\n" }.joined()))
  }

  private func write(_ text: String) {
    guard kind != .none else { return }
    Self.write(text, descriptors.output)
  }

  /// Writes all of a text; a terminal that takes no more is gone, which its input tells.
  static func write(_ text: String, _ descriptor: Int32) {
    write(Array(text.utf8)[...], descriptor)
  }

  static func write(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32) {
    var bytes = bytes
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
