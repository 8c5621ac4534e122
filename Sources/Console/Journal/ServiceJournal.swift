public import API

/// What the journal has of the service, read by its own program: also lines of earlier runs, of
/// systemd, and of a service that does not answer.
public struct ServiceJournal: Sendable {
  /// Where Debian has the program.
  public static let program = "/usr/bin/journalctl"
  /// How many of the newest lines are searched for those that are wanted.
  static let depth = 5000
  /// How many are read when all are wanted: those that may come while a reader begins to follow.
  static let leastDepth = 500

  private let program: String

  /// Makes a journal; nothing is read yet.
  public init(program: String = ServiceJournal.program) {
    self.program = program
  }

  /// Reads lines, the oldest first, numbered from 1; ends when the task is cancelled.
  ///
  /// - Parameters:
  ///   - filter: which of the newest lines, and how many of them.
  ///   - follows: whether to go on with each line that comes, until cancelled.
  ///   - complain: told what is wrong, while it goes on.
  ///   - show: told each line.
  ///   - untilShown: waits until what was shown is; of the newest lines none is left out.
  /// - Throws: ``LocalProgram/Failure`` when the journal cannot be read or shows nothing of the
  ///   service, `CancellationError`, and what `show` throws.
  public func read(
    _ filter: LogFilter, follows: Bool, complain: (String) -> Void,
    show: (LogEntry) throws -> Void, untilShown: () async -> Void = {}
  ) async throws {
    let isAll = filter.streamQueryItems.isEmpty
    let arguments = Self.arguments(depth: isAll ? max(filter.limit, Self.leastDepth) : Self.depth)
    let (newest, isCutOff) = try await newest(arguments)
    if newest.isEmpty {
      guard follows else { throw LocalProgram.Failure(description: Self.emptiness) }
      complain(Self.emptiness)
    }
    let wanted = newest.lazy.filter { filter.matches($0.entry(number: 1)) }.prefix(filter.limit)
    var number: UInt64 = 0
    for line in Array(wanted).reversed() {
      number += 1
      if number % 500 == 0 { await untilShown() }
      try show(line.entry(number: number))
    }
    guard follows else { return }
    // It begins with the same lines, so that none is lost in between.
    let known = Set(newest.compactMap(\.cursor))
    // What the first reading did not come to is old, and would be shown as new.
    let depth = isCutOff ? Self.arguments(depth: newest.count) : arguments
    let lines = try FollowedProgram(program, depth + ["-f"])
    defer { lines.end() }
    while let text = await lines.next() {
      guard let line = JournalLine(text.utf8) else { continue }
      if let cursor = line.cursor, known.contains(cursor) { continue }
      let entry = line.entry(number: number + 1)
      guard filter.matches(entry) else { continue }
      number += 1
      try show(entry)
    }
    try Task.checkCancellation()
    throw LocalProgram.Failure(description: "\"\(program)\" has ended by itself.")
  }

  /// The arguments that print the newest lines; never anything that was typed but a number.
  static func arguments(depth: Int) -> [String] {
    [
      "-u", SystemManager.unit, "-n", "\(depth)", "-o", "json",
      "--output-fields=" + JournalLine.fields.joined(separator: ","), "--no-pager", "-q",
    ]
  }

  private static let emptiness =
    "The journal shows nothing of \(SystemManager.unit); members of the group systemd-journal see "
    + "it."

  /// The newest lines, the newest first.
  private func newest(
    _ arguments: [String]
  ) async throws -> (lines: [JournalLine], isCutOff: Bool) {
    let outcome = try await LocalProgram(program, arguments + ["-r"], maximumBytes: 16 << 20).run()
    try Task.checkCancellation()
    guard outcome.status == 0 || outcome.isCutOff && !outcome.output.isEmpty else {
      let complaint = outcome.complaint.split(separator: "\n").first.map(String.init)
      throw LocalProgram.Failure(
        description: "The journal cannot be read: \(complaint ?? "status \(outcome.status)")")
    }
    let lines = outcome.output.split(separator: UInt8(ascii: "\n"))
    return (lines.compactMap { JournalLine($0) }, outcome.isCutOff)
  }
}
