/// The presses that wait for the ledger, limited whatever the disk does.
///
/// An entry waits from the first report of a press, and absorbs later reports until it is written.
/// While ``limit`` presses wait, further presses are counted as lost. The outcome of a press that
/// is already in the ledger is always taken. The number of these presses is limited by the captures
/// in flight.
struct PressQueue: Sendable {
  /// The contents of one transaction.
  struct Batch: Sendable, Hashable {
    var entries: [PressEntry] = []
    var lostEdges: [LostEdges] = []
    /// The number of presses lost since the last batch.
    var lostEntries = 0

    var isEmpty: Bool { entries.isEmpty && lostEdges.isEmpty && lostEntries == 0 }
  }

  /// The number of buttons with their own count of lost edges; further buttons count as `other`.
  static let buttonLimit = 64

  /// The number of presses that may wait.
  let limit: Int
  private var waiting: [Int64: PressEntry] = [:]
  /// The numbers of `waiting` in the order of arrival.
  private var order: [Int64] = []
  /// The presses in the ledger that have no outcome there.
  private(set) var open: Set<Int64> = []
  private var lostEdges: [LostEdges] = []
  private var lostEntries = 0
  /// Whether the last attempt found the disk full; other transactions then carry no entries.
  private(set) var isHeldBack = false

  init(limit: Int = 4096) { self.limit = limit }

  /// The number of presses that wait.
  var count: Int { order.count }

  /// Whether there is something to write.
  var isEmpty: Bool { order.isEmpty && lostEdges.isEmpty && lostEntries == 0 }

  /// The entries that are not written yet, by press number.
  var entries: [Int64: PressEntry] { waiting }

  /// The waiting presses without an outcome; while held back, all waiting presses.
  var inFlight: Set<Int64> {
    Set(waiting.lazy.filter { isHeldBack || $0.value.outcome == nil }.map(\.key))
  }

  /// The number of lost presses that are not written as lost yet.
  var unwrittenLosses: Int { lostEntries }

  /// Takes a report of a press.
  mutating func enter(_ entry: PressEntry) {
    if waiting[entry.number] != nil {
      waiting[entry.number]?.absorb(entry)
    } else if order.count < limit || open.contains(entry.number) {
      waiting[entry.number] = entry
      order.append(entry.number)
    } else if entry.outcome != nil {
      // A press has one outcome, so the press is counted once.
      lostEntries += 1
    }
  }

  /// Takes a note of lost edges, and adds up the edges of one button until they are written.
  mutating func enter(_ edges: LostEdges) {
    var edges = edges
    if lostEdges.count >= Self.buttonLimit,
      !lostEdges.contains(where: { $0.button == edges.button })
    {
      edges.button = "other"
    }
    if let index = lostEdges.firstIndex(where: { $0.button == edges.button }) {
      let (sum, overflow) = lostEdges[index].count.addingReportingOverflow(edges.count)
      lostEdges[index].count = overflow ? .max : sum
    } else {
      lostEdges.append(edges)
    }
  }

  /// Takes out the oldest entries for writing; while held back, only for a commit of their own.
  mutating func take(_ count: Int, isOwnCommit: Bool) -> Batch {
    guard isOwnCommit || !isHeldBack else { return Batch() }
    var batch = Batch(lostEdges: lostEdges, lostEntries: lostEntries)
    lostEdges = []
    lostEntries = 0
    for number in order.prefix(count) {
      if let entry = waiting.removeValue(forKey: number) { batch.entries.append(entry) }
    }
    order.removeFirst(min(count, order.count))
    return batch
  }

  /// Notes that a batch is on stable storage.
  mutating func written(_ batch: Batch) {
    isHeldBack = false
    for entry in batch.entries {
      if entry.outcome == nil { open.insert(entry.number) } else { open.remove(entry.number) }
    }
  }

  /// Notes that a picture's own commit has given its press an outcome.
  mutating func stored(_ number: Int64) { open.remove(number) }

  /// Takes back a batch that was not written to the ledger.
  ///
  /// - Parameter isFull: whether the disk has no room for the batch.
  mutating func putBack(_ batch: Batch, isFull: Bool) {
    if isFull { isHeldBack = true }
    lostEntries += batch.lostEntries
    let newer = lostEdges
    lostEdges = batch.lostEdges
    for edges in newer { enter(edges) }
    var known: Set<Int64> = []
    for var entry in batch.entries {
      if let newer = waiting[entry.number] {
        entry.absorb(newer)
        known.insert(entry.number)
      }
      waiting[entry.number] = entry
    }
    if !known.isEmpty { order.removeAll(where: known.contains) }
    order.insert(contentsOf: batch.entries.map(\.number), at: 0)
  }
}
