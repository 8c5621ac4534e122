extension UploadStateMachine {
  /// The progress of the search for the next item.
  struct Search {
    /// A search without a result, with the end of the next wait.
    struct Drought: Equatable {
      var end: Duration?
    }

    /// The instant of the running `fetch`; items that it skipped count as waiting from then on.
    var instant: Duration = .zero
    /// The identities that the running `fetch` skips.
    var excluded: Set<String> = []
    /// The number of narrower searches without a result, and of wider searches that are left.
    var stage = 0
    var stagesLeft = 0
    /// Whether an item may have been added or released since the running `fetch` began.
    var hasArrival = false
    /// The last search without a result; `nil` when a new search may find an item.
    var drought: Drought?
    /// Whether the last begun item had failed before, so that a fresh item is preferred next.
    var prefersFresh = false
  }

  /// Looks for an item to begin.
  mutating func look(isProbe: Bool, at now: Duration) -> Action {
    if let drought = search.drought {
      guard let end = drought.end, end <= now else { return .wait(until: drought.end) }
      search.drought = nil
    }
    let budgetReady = isProbe ? now : budget.ready(at: now)
    if policy.order == .strict {
      // Only the oldest item may begin; while it waits, all items wait.
      if let end = faults.nextEnd(after: now) { return .wait(until: end) }
      if faults.count > 0, budgetReady > now { return .wait(until: budgetReady) }
      return fetch(excluding: [[]], at: now)
    }
    if budgetReady > now { return fetch(excluding: [faults.ids], at: now) }
    // Items that neither have failed nor are suspects come first, and at last all whose wait has
    // ended.
    let paused = faults.paused(at: now)
    let suspects = isProbe ? Set(breaker.suspects.map(\.id)) : []
    let narrowest = search.prefersFresh ? faults.ids.union(suspects) : []
    var stages = [narrowest, paused.union(suspects), paused]
    for index in [1, 0] where stages[index].count <= stages[index + 1].count {
      stages.remove(at: index)
    }
    return fetch(excluding: stages, at: now)
  }

  private mutating func fetch(excluding stages: [Set<String>], at now: Duration) -> Action {
    let stage = min(search.stage, stages.count - 1)
    search.stagesLeft = stages.count - 1 - stage
    search.instant = now
    search.excluded = stages[stage].union(running.keys)
    // An item that arrives from now on may be missing from the answer.
    search.hasArrival = false
    return .fetch(excluding: search.excluded)
  }

  /// Notes that the queue has named no item.
  mutating func endSearch() {
    if search.stagesLeft > 0 {
      search.stage += 1
      // Only suspects are left for a probe, so the oldest of them is used.
      if search.stagesLeft == 1 { breaker.acquit() }
      return
    }
    search.stage = 0
    guard !search.hasArrival else { return }
    // An item that was neither skipped nor named is no longer in the queue.
    for id in faults.ids.subtracting(search.excluded) { faults.forget(id) }
    let now = search.instant
    let budgetReady = budget.ready(at: now)
    let isAnyUnpaid = budgetReady > now && faults.count > faults.paused(at: now).count
    let ends = [faults.nextEnd(after: now), isAnyUnpaid ? budgetReady : nil]
    search.drought = Search.Drought(end: ends.compactMap { $0 }.min())
  }

  /// Ends a wait after a search without a result, as a new search may find an item.
  ///
  /// A running `fetch` may miss an item, as it skips items that were running or waiting when it
  /// began.
  mutating func lookAgain() {
    search.hasArrival = true
    search.drought = nil
  }
}
