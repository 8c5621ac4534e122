import API

/// How far one picture is at each of its targets: a value that is shown the picture again and again.
struct UploadProgress: Sendable {
  private struct Target: Sendable {
    let name: String
    let attempts: Int
    var state: DeliveryStateReport
    /// When it was delivered or failed, in seconds since the test began.
    var end: Double?
    /// How many attempts had failed at this target before, whichever picture's they were.
    let failures: Int
    /// Why the target is left alone since then; the retry may have gone to another picture.
    var failure: String?
  }

  private let id: String
  private let bytes: Int64
  private var targets: [Target]

  /// Begins with a picture as it waits.
  ///
  /// - Parameters:
  ///   - isNew: whether it was taken for the test, so that all that happens to it counts.
  ///   - reports: the targets before they are tried again.
  init(_ item: SpoolItemReport, isNew: Bool, _ reports: [TargetReport]) {
    id = item.id
    bytes = item.bytes
    targets = item.deliveries.filter { isNew || $0.state == "pending" }.map { delivery in
      Target(
        name: delivery.target, attempts: isNew ? 0 : delivery.attempts, state: delivery,
        failures: reports.first { $0.name == delivery.target }?.failures ?? 0)
    }
  }

  /// Takes the picture as it is now.
  mutating func take(_ item: SpoolItemReport, after seconds: Double) {
    for index in targets.indices where targets[index].end == nil {
      let known = targets[index]
      guard let state = item.deliveries.first(where: { $0.target == known.name }) else { continue }
      targets[index].state = state
      if state.state != "pending" || state.attempts > known.attempts {
        targets[index].end = seconds
      }
    }
  }

  /// Takes the targets as they are now: one that failed at another picture takes none for a while.
  mutating func take(_ reports: [TargetReport], after seconds: Double) {
    for index in targets.indices where targets[index].end == nil {
      let target = targets[index]
      guard let report = reports.first(where: { $0.name == target.name }),
        report.failures > target.failures, report.state == "waitingToRetry"
      else { continue }
      targets[index].end = seconds
      targets[index].failure = report.detail ?? report.state
    }
  }

  /// Whether each target has it or has failed.
  var isOver: Bool { targets.allSatisfy { $0.end != nil } }

  /// A line for each target that has not ended yet.
  func lines(_ reports: [TargetReport]) -> [String] {
    targets.filter { $0.end == nil }.map { target in
      let report = reports.first { $0.name == target.name }
      let sent = report?.running.first { $0.itemID == id }?.bytesSent
      let state = report?.state ?? "unknown"
      return "to \(target.name): "
        + (sent.map { "\(Figures.bytes($0)) of \(Figures.bytes(bytes)) sent" } ?? state)
    }
  }

  /// A result for each target.
  ///
  /// - Parameter limit: how long was waited, in seconds.
  func results(after limit: Int) -> [TestResult] {
    targets.map { target in
      let state = target.state
      guard let end = target.end else {
        return TestResult(
          .upload, subject: target.name, .failed,
          seen: ["\(id) has no receipt after \(limit) s"] + (state.detail.map { [$0] } ?? []),
          code: state.failure)
      }
      if let failure = target.failure {
        return TestResult(
          .upload, subject: target.name, .failed,
          seen: ["the target failed at another picture, before \(id)", failure],
          code: state.failure)
      }
      guard state.state == "done" else {
        let what = state.state == "pending" ? "an attempt failed" : "it is \(state.state)"
        return TestResult(
          .upload, subject: target.name, .failed,
          seen: ["\(id) was not delivered: \(what)"] + (state.detail.map { [$0] } ?? []),
          code: state.failure)
      }
      let receipt = state.receipt
      var seen = [
        "\(id), \(Figures.bytes(bytes)), acknowledged after \(Figures.decimal(end, 1)) s"
      ]
      if let receipt {
        let answer = receipt.status == 0 ? "the target has it" : "the answer was \(receipt.status)"
        seen.append(
          answer + (receipt.duplicate ? ", it was there already" : "")
            + (receipt.url.map { ": \($0)" } ?? ""))
      }
      return TestResult(
        .upload, subject: target.name, .passed, seen: seen,
        figures: ["bytes": Double(bytes), "uploadSeconds": end])
    }
  }
}
