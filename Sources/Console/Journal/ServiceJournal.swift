package import API
import Devices

/// The service's lines in the journal, read by journalctl.
///
/// The journal also has lines of earlier runs, of systemd, and of a service that does not answer.
package struct ServiceJournal: Sendable {
  /// The program's path in Debian.
  package static let program = "/usr/bin/journalctl"
  /// The number of newest lines to search if a filter is set.
  static let depth = 5000
  /// The least number of newest lines to read without a filter.
  ///
  /// More lines may arrive before a reader begins to follow.
  static let leastDepth = 500

  private let program: String

  /// Creates a journal without reading anything.
  package init(program: String = ServiceJournal.program) {
    self.program = program
  }

  /// Reads lines, the oldest first, numbered from 1, until cancellation if `follows` is set.
  ///
  /// - Parameters:
  ///   - filter: the filter and the number of the newest lines.
  ///   - follows: whether to continue with each new line until canceled.
  ///   - complain: a function called with a problem that does not end the reading.
  ///   - show: a function called with each line.
  ///   - untilShown: a function that waits until all lines so far are shown, so that no newest line
  ///     is dropped.
  /// - Throws: ``Devices/LocalProgram/Failure`` when the journal cannot be read or shows nothing of
  ///   the service, `CancellationError`, and the errors of `show`.
  package func read(
    _ filter: LogFilter, follows: Bool, complain: (String) -> Void,
    show: (LogEntry) throws -> Void, untilShown: () async -> Void = {}
  ) async throws {
    let isAll = filter.level == nil && filter.label == nil
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
    // Following begins with the same lines, so that no line is lost in between.
    let known = Set(newest.compactMap(\.cursor))
    // Lines beyond a cut-off first reading are old and must not appear as new.
    let depth = isCutOff ? Self.arguments(depth: newest.count) : arguments
    for try await text in LocalProgram(program, depth + ["-f"], timeout: nil).lines() {
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

  /// Returns the arguments that print the newest lines; only the number may have been typed.
  static func arguments(depth: Int) -> [String] {
    [
      "-u", SystemManager.unit, "-n", "\(depth)", "-o", "json",
      "--output-fields=" + JournalLine.fields.joined(separator: ","), "--no-pager", "-q",
    ]
  }

  private static let emptiness =
    "The journal shows nothing of \(SystemManager.unit); members of the group systemd-journal see "
    + "it."

  /// Returns the newest lines, the newest first.
  private func newest(
    _ arguments: [String]
  ) async throws -> (lines: [JournalLine], isCutOff: Bool) {
    let outcome = try await LocalProgram(program, arguments + ["-r"], maximumBytes: 16 << 20).run()
    try Task.checkCancellation()
    guard outcome.status == 0 || outcome.isCutOff && !outcome.output.isEmpty else {
      let cause = outcome.firstComplaint ?? "status \(outcome.status)"
      throw LocalProgram.Failure(description: "The journal cannot be read: \(cause)")
    }
    let lines = outcome.output.split(separator: UInt8(ascii: "\n"))
    return (lines.compactMap { JournalLine($0) }, outcome.isCutOff)
  }
}
