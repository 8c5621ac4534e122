import CEditLine
import Foundation

/// An editor of a line on a terminal, by libedit.
///
/// The library receives its characters from us, handles no signals and reads no configuration file.
/// Its keys for its own commands are unbound, because they could bind a function that starts
/// `$EDITOR`.
final class LineEditor {
  /// The editor's environment, which the library's callbacks find by a pointer.
  final class Context {
    let input: TerminalInput
    let guide: any LineGuide
    let write: (String) -> Void
    var prompt: UnsafeMutablePointer<CChar>?
    var assembler = UTF8Assembler()
    /// The outcome, if something other than the line's end ended the line.
    var ending: LineResult?
    /// Whether the rest of a too long line is being discarded.
    var isTooLong = false

    init(input: TerminalInput, guide: any LineGuide, write: @escaping (String) -> Void) {
      self.input = input
      self.guide = guide
      self.write = write
    }

    deinit { free(prompt) }
  }

  private let editor: OpaquePointer
  private let history: OpaquePointer
  private let context: Context
  private let streams: [UnsafeMutablePointer<FILE>]

  /// Creates an editor on a terminal that already has the console's modes.
  ///
  /// - Returns: `nil` when the library cannot use the terminal.
  init?(
    descriptors: (input: Int32, output: Int32), lines: [String], context: Context
  ) {
    // Non-ASCII characters must count as printable before the library builds its table of keys.
    setlocale(LC_CTYPE, "C.UTF-8")
    var streams: [UnsafeMutablePointer<FILE>] = []
    for (descriptor, mode) in [
      (descriptors.input, "r"), (descriptors.output, "w"), (descriptors.output, "w"),
    ] {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0, let stream = fdopen(copy, mode) else { break }
      streams.append(stream)
    }
    guard streams.count == 3,
      let editor = el_init_fd(
        "platenctl", streams[0], streams[1], streams[2], descriptors.input, descriptors.output,
        descriptors.output)
    else {
      for stream in streams { fclose(stream) }
      return nil
    }
    guard let history = history_init() else {
      el_end(editor)
      for stream in streams { fclose(stream) }
      return nil
    }
    (self.editor, self.history, self.context, self.streams) = (editor, history, context, streams)
    configure(lines)
  }

  deinit {
    el_end(editor)
    history_end(history)
    for stream in streams { fclose(stream) }
  }

  /// Reads a line; blocks the calling thread.
  func readLine(prompt: String) -> LineResult {
    free(context.prompt)
    context.prompt = strdup(prompt)
    context.assembler = UTF8Assembler()
    context.ending = nil
    context.isTooLong = false
    var count: Int32 = 0
    // The library owns the line and has a pointer to the context.
    defer { withExtendedLifetime(self) {} }
    guard let bytes = el_gets(editor, &count) else {
      guard let ending = context.ending else {
        // A negative count means that the terminal has failed; otherwise the person pressed Ctrl-D.
        guard count >= 0 else { return .ended(.hangUp) }
        context.write("\n")
        return .ended(.endOfInput)
      }
      if ending == .interrupted { context.write("^C\n") }
      return ending
    }
    guard var line = String(validatingCString: bytes) else {
      return .refused(LineAssembler.notUTF8)
    }
    if line.hasSuffix("\n") { line.removeLast() }
    // This character replaced invalid UTF-8 in the line, unless the person has removed it.
    if line.unicodeScalars.contains("\u{FFFD}") { return .refused(LineAssembler.notUTF8) }
    if line.utf8.count > LineAssembler.maximumBytes { return .refused(LineAssembler.tooLong) }
    return .line(line)
  }

  /// Adds a line for the history keys.
  func remember(_ line: String) {
    _ = CEditLine_enter(history, line)
  }

  private func configure(_ lines: [String]) {
    _ = CEditLine_setClientData(editor, Unmanaged.passUnretained(context).toOpaque())
    _ = CEditLine_setHandlesSignals(editor, 0)
    _ = CEditLine_setKeys(editor, "emacs")
    _ = CEditLine_setPrompt(editor) { LineEditor.context(of: $0)?.prompt }
    _ = CEditLine_setReader(editor) { LineEditor.read($0, into: $1) }
    for mode in ["-icanon", "-echo", "-isig", "-iexten", "-icrnl", "-inlcr"] {
      for when in ["-d", "-x"] { _ = CEditLine_setMode(editor, when, mode) }
    }
    _ = CEditLine_addFunction(editor, "console-complete", "complete") { editor, _ in
      LineEditor.complete(editor)
    }
    _ = CEditLine_addFunction(editor, "console-help", "help") { editor, _ in
      LineEditor.help(editor)
    }
    _ = CEditLine_bind(editor, "^I", "console-complete")
    _ = CEditLine_bind(editor, "?", "console-help")
    _ = CEditLine_bind(editor, "^R", "em-inc-search-prev")
    // The library's own commands stay unbound, and so do the keys that can repeat another a million
    // times.
    for key in "xX0123456789" { _ = CEditLine_bind(editor, "\\e\(key)", "ed-unassigned") }
    // The same keys as single characters are letters in our character set.
    for key in ["\\370", "\\330"] { _ = CEditLine_bind(editor, key, "ed-insert") }
    _ = CEditLine_setHistorySize(history, Int32(CommandHistory.limit))
    _ = CEditLine_setHistory(editor, history)
    for line in lines { remember(line) }
  }

  private static func context(of editor: OpaquePointer?) -> Context? {
    guard let editor, let pointer = CEditLine_clientData(editor) else { return nil }
    return Unmanaged<Context>.fromOpaque(pointer).takeUnretainedValue()
  }
}

// The library's callbacks run on the thread that reads the line, during el_gets.
extension LineEditor {
  /// Gives the library a character; returns 1, or 0 if something else ended the line.
  private static func read(
    _ editor: OpaquePointer?, into character: UnsafeMutablePointer<wchar_t>?
  ) -> CInt {
    guard let editor, let character, let context = context(of: editor) else { return 0 }
    while true {
      switch context.input.next() {
      case .byte(PendingInput.interruptByte), .interrupt:
        context.ending = .interrupted
        return 0
      case .end(let end):
        context.ending = .ended(end)
        return 0
      case .resize:
        el_resize(editor)
      case .notice(let lines):
        context.write("\n" + lines.map { $0 + "\n" }.joined())
        _ = CEditLine_refresh(editor)
      case .byte(let byte):
        guard let scalar = take(byte, editor, context) else {
          if context.ending != nil { return 0 }
          continue
        }
        character.pointee = wchar_t(truncatingIfNeeded: scalar.value)
        return 1
      }
    }
  }

  /// Makes characters of bytes; `nil` for an incomplete or discarded character.
  private static func take(
    _ byte: UInt8, _ editor: OpaquePointer, _ context: Context
  ) -> Unicode.Scalar? {
    if context.isTooLong {
      if byte == UInt8(ascii: "\n") {
        context.write("\n")
        context.ending = .refused(LineAssembler.tooLong)
      }
      return nil
    }
    switch context.assembler.take(byte) {
    case .partial:
      return nil
    case .invalid:
      return "\u{FFFD}"
    case .scalar(let scalar):
      guard scalar.value >= 0x20, length(editor) >= LineAssembler.maximumBytes else {
        return scalar
      }
      context.isTooLong = true
      return nil
    }
  }

  /// Returns the number of characters in the line.
  private static func length(_ editor: OpaquePointer) -> Int {
    guard let line = el_wline(editor)?.pointee else { return 0 }
    return line.buffer.distance(to: line.lastchar)
  }

  /// Returns the text before the cursor.
  private static func beginning(_ editor: OpaquePointer) -> String {
    guard let line = el_wline(editor)?.pointee else { return "" }
    let characters = UnsafeBufferPointer(
      start: line.buffer, count: line.buffer.distance(to: line.cursor))
    var text = String.UnicodeScalarView()
    // The type `wchar_t` is signed on x86_64 and unsigned on arm64.
    text.append(
      contentsOf: characters.compactMap { Unicode.Scalar(UInt32(truncatingIfNeeded: $0)) })
    return String(text)
  }

  private static func complete(_ editor: OpaquePointer?) -> UInt8 {
    guard let editor, let context = context(of: editor) else { return UInt8(CC_ERROR) }
    let (insertion, lines) = context.guide.complete(beginning(editor))
    if !insertion.isEmpty, el_insertstr(editor, insertion) == 0 { return UInt8(CC_REFRESH) }
    guard !lines.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
    return show(lines, editor, context)
  }

  private static func help(_ editor: OpaquePointer?) -> UInt8 {
    guard let editor, let context = context(of: editor) else { return UInt8(CC_ERROR) }
    // A question mark in pasted text is no question.
    guard !context.input.isWaiting, let lines = context.guide.help(beginning(editor)) else {
      return el_insertstr(editor, "?") == 0 ? UInt8(CC_REFRESH) : UInt8(CC_REFRESH_BEEP)
    }
    return show(lines, editor, context)
  }

  private static func show(
    _ lines: [String], _ editor: OpaquePointer, _ context: Context
  ) -> UInt8 {
    context.write("\n" + lines.map { $0 + "\n" }.joined())
    _ = CEditLine_refresh(editor)
    return UInt8(CC_NORM)
  }
}
