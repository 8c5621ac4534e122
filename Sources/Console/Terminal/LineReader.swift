import Devices
import Foundation

/// A reader of lines and keys from a terminal, a pipe or a file.
///
/// Blocking waits occur on the reader's own thread.
package actor LineReader {
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
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - input: the source of the bytes.
  ///   - kind: the terminal's capabilities; an editing terminal must already have the console's
  ///     modes.
  ///   - descriptors: the terminal.
  ///   - history: the lines for the history keys.
  ///   - guide: the source of completion and help.
  ///   - characters: the characters that the terminal knows; typed text is echoed unchanged.
  ///   - endsOnControlD: whether Ctrl-D at a line's beginning ends the input even without echo. A
  ///     program on a terminal has no other way to end.
  ///   - maximumBytes: the longest line of a pipe or a file in bytes.
  package init(
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
  package var rememberedLines: [String] { history.lines }

  /// Reads a line.
  ///
  /// - Parameter prompt: the text before the line on a terminal.
  package func readLine(prompt: String) -> LineResult {
    if kind == .editing, !hasBegun {
      hasBegun = true
      let context = LineEditor.Context(
        input: input, guide: guide,
        write: { [output = descriptors.output, characters] in
          Self.write(characters.plain($0), output)
        })
      // A line typed on another terminal may contain characters that this one does not know.
      let lines = history.lines.filter { characters.plain($0) == $0 }
      editor = LineEditor(descriptors: descriptors, lines: lines, context: context)
      // Lines can be read even without the library.
      if editor == nil { assembler = LineAssembler(echoes: true) }
    }
    let prompt = characters.plain(prompt)
    return editor?.readLine(prompt: prompt) ?? readPlainLine(prompt: prompt)
  }

  /// Adds a line that is about to run to the history.
  package func remember(_ line: String) {
    if history.add(line) { editor?.remember(line) }
  }

  /// Ends the editing and restores the terminal's earlier modes.
  ///
  /// - Parameter drains: whether to wait until the terminal has sent all output (`tcdrain(3)`). The
  ///   kernel drops the rest when the program ends.
  package func end(drains: Bool = true) {
    editor = nil
    guard drains, isatty(descriptors.output) == 1 else { return }
    while tcdrain(descriptors.output) != 0, errno == EINTR {}
  }

  /// Writes all bytes; a terminal that accepts no output blocks only the reader's own thread.
  func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) { Self.write(bytes, descriptor) }

  /// Waits for a key.
  ///
  /// - Parameter question: the text before the key, repeated after a notice.
  /// - Returns: `nil` at the end of the input or on Ctrl-C.
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
        // Pasted text is echoed as a whole.
        if !echo.isEmpty, step.result != nil || !input.isWaiting {
          write(echo)
          echo = ""
        }
        if let result = step.result { return result }
      case .interrupt:
        // A pipe needs no further prompt.
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

  /// Writes the whole text; a failed write means a hang-up, which the input reports.
  static func write(_ text: String, _ descriptor: Int32) {
    write(Array(text.utf8)[...], descriptor)
  }

  static func write(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32) {
    try? SystemCalls.write(bytes, to: descriptor)
  }
}
