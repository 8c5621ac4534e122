import Capture
import Devices
import Testing

/// Switches and lines as they were recorded, edge by edge.
///
/// The numbers are measured and published in the named issues on GitHub. Two records are parts of
/// longer ones, whose other parts are not public as text.
@Suite struct RecordedBounceTests {
  /// The edges of a record, in nanoseconds since its begin or since a full second.
  struct Record: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let edges: [LineEdge]

    /// Reads edges written as `+687 -69812`.
    init(_ name: String, _ words: String) {
      testDescription = name
      edges = words.split(whereSeparator: \.isWhitespace).map { word in
        LineEdge(
          kind: word.first == "+" ? .activated : .deactivated,
          time: MonotonicInstant(nanoseconds: 100_000_000 + (Int64(word.dropFirst()) ?? 0)))
      }
    }

    /// The begin, as events have it.
    var begin: String { edges.first?.time.text ?? "" }
  }

  /// Contacts whose last recorded edge closes them; 0 at the pin is a closed contact.
  ///
  /// The logger's note of a low pin after a rising edge is an opening that it saw too late to read.
  static let closures = [
    Record(
      "push button JUDCO 1024-2 with 332 nF, adamfk/bouncy-button-data#6 of 2024-03-10",
      "+0 -687 +69812"),
    Record(
      "log entries 4 to 26, adamfk/bouncy-button-data#12",
      """
      +188812 -196062 +421812 +424437 -428125 +431812 -437875 +500937 -507000 +547500 -559500
      +635625 -642875 +645375 -650250 +652750 -671875 +674375 +684125 -696125 +702187 -713000
      +716687
      """),
    Record(
      "log entries 104 to 126, adamfk/bouncy-button-data#12",
      """
      +3961250 +4016125 +4047250 -4081812 +4084312 +4188625 +4306437 +4349437 -4379250 +4387687
      +4412875 -4420125 +4422625 +4437125 -4472875 +4476562 -4485000 +4487500 -4528000 +4532875
      -4597125 +4599625
      """),
  ]

  @Test(arguments: closures, [true, false])
  func `a recorded closing is one press at its first edge`(_ record: Record, _ isPunctual: Bool) {
    for shortestPress in [5.0, 0.0] {
      let told = events(
        of: record.edges, shortestPress: shortestPress, isPunctual: isPunctual, until: 2_000)
      #expect(told == ["single@\(record.begin)"], "shortest press \(shortestPress)")
    }
  }

  /// Without its last edge, a contact stays open: it was closed for 0.3 ms at most.
  @Test(arguments: closures, [true, false])
  func `a recorded bounce without a closing is no press`(_ record: Record, _ isPunctual: Bool) {
    let told = events(of: Array(record.edges.dropLast()), isPunctual: isPunctual, until: 2_000)
    #expect(told == ["spikes1@\(record.begin)"])
  }

  /// The kernel's times at a meter's impulse line of a Raspberry Pi, with edges that were lost.
  static let impulses = Record(
    "from 6459 s, volkszaehler/vzlogger#525 of 2024-01-09",
    """
    +261081356 +261098355 +261112354 +261144352 +261171350 +261185350 +261482333 +269650861
    +269678859 -492392003
    """)

  @Test(arguments: [true, false])
  func `an impulse with lost edges is one press at its first edge`(_ isPunctual: Bool) {
    let told = events(of: Self.impulses.edges, isPunctual: isPunctual, until: 2_000)
    #expect(told == ["single@\(Self.impulses.begin)"])
  }

  /// Bursts on the same line, of which the kernel saw almost only one kind of edge.
  static let bursts = [
    Record(
      "from 6458 s, volkszaehler/vzlogger#525 of 2024-01-09",
      """
      -831488161 -831499160 -831508160 -831561157 -831573156 -831585155 -831622153 +831629153
      -831637152 -831647152 -831676150
      """),
    Record(
      "from 458 s, volkszaehler/vzlogger#525 of 2024-01-09",
      """
      -922263448 -922279448 -922296447 -922312447 -922327446 -922343446 -922604438
      """),
  ]

  @Test(arguments: bursts, [true, false])
  func `a recorded burst is no press`(_ record: Record, _ isPunctual: Bool) {
    let told = events(of: record.edges, isPunctual: isPunctual, until: 2_000)
    #expect(told == ["spikes1@\(record.begin)"])
  }
}
