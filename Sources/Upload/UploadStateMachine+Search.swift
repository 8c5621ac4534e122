extension UploadStateMachine {
  /// How far the search for the next item is.
  struct Search {
    /// That nothing was found, and when a turn comes again.
    struct Drought: Equatable {
      var end: Duration?
    }

    /// When the running `fetch` was asked for: what it left out counts as waiting after it.
    var instant: Duration = .zero
    /// What it left out.
    var excluded: Set<String> = []
    /// How many narrower searches have found nothing, and how many wider ones are left.
    var stage = 0
    var stagesLeft = 0
    /// Whether an item may have been added, or be free again, since.
    var hasArrival = false
    /// That there was nothing to be found.
    var drought: Drought?
    /// Whether the last item begun had failed before, so that another has its turn.
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
      // The oldest is the only one that may begin; when it waits, all do.
      if let end = faults.nextEnd(after: now) { return .wait(until: end) }
      if faults.count > 0, budgetReady > now { return .wait(until: budgetReady) }
      return fetch(excluding: [[]], at: now)
    }
    if budgetReady > now { return fetch(excluding: [faults.ids], at: now) }
    // First those that have neither failed nor are suspects, in the end all whose turn has come.
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
    // What arrives from here on may be missing from the answer.
    search.hasArrival = false
    return .fetch(excluding: search.excluded)
  }

  /// The queue has named nothing.
  mutating func endSearch() {
    if search.stagesLeft > 0 {
      search.stage += 1
      // Nobody but the suspects is left to probe with: whoever is the oldest has its turn again.
      if search.stagesLeft == 1 { breaker.acquit() }
      return
    }
    search.stage = 0
    guard !search.hasArrival else { return }
    // What was not left out and still not named is not in the queue any more.
    for id in faults.ids.subtracting(search.excluded) { faults.forget(id) }
    let now = search.instant
    let budgetReady = budget.ready(at: now)
    let isAnyUnpaid = budgetReady > now && faults.count > faults.paused(at: now).count
    let ends = [faults.nextEnd(after: now), isAnyUnpaid ? budgetReady : nil]
    search.drought = Search.Drought(end: ends.compactMap { $0 }.min())
  }

  /// What was found to be nothing may not be nothing any more, nor what a running `fetch` will find:
  /// it had to leave out what was delivered, or waited, when it was asked for.
  mutating func lookAgain() {
    search.hasArrival = true
    search.drought = nil
  }
}
