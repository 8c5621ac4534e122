import Devices

// The output and the questions of commands.
extension ConsoleSession {
  /// Shows a command's output to its end, but drops the rest after an interruption.
  ///
  /// - Parameter reader: the reader on whose thread blocked writes wait. On a shared thread they
  ///   could keep the idle watch from running.
  func show(
    _ stream: AsyncStream<OutputPiece>, of run: CommandRun, on reader: isolated LineReader
  ) async {
    var pager = run.manner.isPaged ? screen.pager : nil
    var isOver = false
    var lastComplaint: String?
    for await piece in stream {
      noteWriting(true, of: run.manner)
      defer { noteWriting(false, of: run.manner) }
      let isInterrupted = run.interruption.hasCome
      switch piece {
      case .complaint(let message):
        // After an interruption, the last complaint is enough.
        if isInterrupted { lastComplaint = message } else { screen.complain(message) }
      case .notice(let lines):
        for line in lines { screen.show(line) }
      case .progress(let text):
        if text == nil || !isInterrupted { screen.progress.show(text) }
      case .mark(let waiting):
        waiting.finish()
      case .question(let question):
        question.answer(isOver ? .unanswered : await ask(question, run.task))
      case .lines(let lines):
        if !isOver { isOver = await !show(lines, &pager, run) }
        let leftOut = run.backlog.noteShown()
        if leftOut > 0, !run.interruption.hasCome { screen.show(OutputBacklog.notice(leftOut)) }
      }
    }
    guard run.interruption.hasCome else { return }
    if run.interruption.isCut { screen.endLine() }
    if let last = lastComplaint ?? (run.interruption.hasDropped ? "Interrupted." : nil) {
      screen.complain(last)
    }
  }

  /// Shows lines, one screenful at a time if there is a pager.
  ///
  /// - Returns: whether the reader wants more.
  private func show(_ lines: [String], _ pager: inout Pager?, _ run: CommandRun) async -> Bool {
    run.interruption.noteWriting(true)
    defer { run.interruption.noteWriting(false) }
    for line in lines {
      for part in screen.folded(line) {
        guard !run.interruption.hasCome else {
          if run.interruption.noteDropped() { screen.dropWaiting() }
          return true
        }
        if pager?.isFull(before: part) == true, !input.isWaiting {
          run.interruption.noteWriting(false)
          guard await goesOn(before: part, &pager, run.task) else {
            run.task.cancel()
            return false
          }
          run.interruption.noteWriting(true)
        }
        noteWriting(true, of: run.manner)
        screen.show(part)
      }
    }
    return true
  }

  /// Asks a command's question.
  private func ask(_ question: CommandQuestion, _ task: Task<Int32, Never>) async -> CommandAnswer {
    guard screen.isTerminal, !task.isCancelled else { return .unanswered }
    beginAsking()
    // Text typed before the question is visible does not answer it.
    input.setAside()
    defer {
      input.bringBack()
      endAsking()
    }
    let timer = Task {
      do { try await clock.sleep(for: question.limit) } catch { return false }
      return input.cancelKey()
    }
    let result = await reader.readLine(prompt: PlainText.escaping(question.text) + " ")
    timer.cancel()
    let isLate = await timer.value
    switch result {
    case .line(let line):
      // A cancellation that the timer sent too late must not end the next line.
      if isLate { _ = input.next() }
      return .line(line)
    case .interrupted: return isLate && !task.isCancelled ? .timedOut : .unanswered
    case .refused(let reason):
      if isLate { _ = input.next() }
      screen.complain(reason)
      return .line("")
    case .ended: return .unanswered
    }
  }

  /// Asks at a full screen whether to continue.
  private func goesOn(
    before line: String, _ pager: inout Pager?, _ task: Task<Int32, Never>
  ) async -> Bool {
    beginAsking()
    defer { endAsking() }
    guard !task.isCancelled else { return false }
    screen.ask(Pager.question)
    let key = await reader.readKey(after: Pager.question)
    screen.clear(Pager.question)
    switch pager?.answer(key, before: line) {
    case .page, .line, nil: return true
    case .quit: return false
    case .rest:
      if let key { input.putBack(key) }
      return true
    }
  }
}
