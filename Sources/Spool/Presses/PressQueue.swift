/// Presses that wait to be entered in the ledger, bounded whatever the disk does.
///
/// An entry begins to wait with the first that is heard of a press and takes in what is heard until
/// it is written. When ``limit`` presses wait, further ones are counted as lost; the outcome of a
/// press that is in the ledger already is always taken, and such presses are as few as captures may
/// be in flight.
struct PressQueue: Sendable {
  /// What goes into one transaction.
  struct Batch: Sendable, Hashable {
    var entries: [PressEntry] = []
    var lostEdges: [LostEdges] = []
    /// Presses that were lost since the last batch.
    var lostEntries = 0

    var isEmpty: Bool { entries.isEmpty && lostEdges.isEmpty && lostEntries == 0 }
  }

  /// Buttons whose lost edges are told apart; those of others are counted for the name `other`.
  static let buttonLimit = 64

  /// Presses that may wait.
  let limit: Int
  private var waiting: [Int64: PressEntry] = [:]
  /// The numbers of `waiting` in the order in which they came.
  private var order: [Int64] = []
  /// Presses in the ledger that have no outcome there.
  private(set) var open: Set<Int64> = []
  private var lostEdges: [LostEdges] = []
  private var lostEntries = 0
  /// Whether the last attempt found the disk full: no other transaction takes entries along then.
  private(set) var isHeldBack = false

  init(limit: Int = 4096) { self.limit = limit }

  /// How many presses wait.
  var count: Int { order.count }

  /// Whether there is something to write.
  var isEmpty: Bool { order.isEmpty && lostEdges.isEmpty && lostEntries == 0 }

  /// What is known of presses and not written yet.
  var entries: [Int64: PressEntry] { waiting }

  /// How many presses are lost and not written down as lost yet.
  var unwrittenLosses: Int { lostEntries }

  /// Takes what is heard of a press.
  mutating func enter(_ entry: PressEntry) {
    if waiting[entry.number] != nil {
      waiting[entry.number]?.absorb(entry)
    } else if order.count < limit || open.contains(entry.number) {
      waiting[entry.number] = entry
      order.append(entry.number)
    } else if entry.outcome != nil {
      // A press has one outcome: so it is counted once.
      lostEntries += 1
    }
  }

  /// Takes a note of lost edges; those of one button are added up until they are written.
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

  /// Takes the oldest out to be written; nothing while held back, unless that is what is being tried.
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

  /// Takes a batch back that could not be written: nothing of it is in the ledger.
  ///
  /// - Parameter isFull: whether the disk has no room for it.
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
