import API

/// The progress of a picture at each of its targets, updated with repeated reports.
struct UploadProgress: Sendable {
  private struct Target: Sendable {
    let name: String
    let attempts: Int
    var state: DeliveryStateReport
    /// The time of the delivery or the failure in seconds since the test began.
    var end: Double?
    /// The number of earlier failed attempts at this target, for any picture.
    let failures: Int
    /// The reason why the target now waits; the retry may have gone to another picture.
    var failure: String?
  }

  private let id: String
  private let bytes: Int64
  private var targets: [Target]

  /// Begins with a waiting picture.
  ///
  /// - Parameters:
  ///   - isNew: whether the picture was taken for the test, so that every attempt counts.
  ///   - reports: the targets before the retry.
  init(_ item: SpoolItemReport, isNew: Bool, _ reports: [TargetReport]) {
    id = item.id
    bytes = item.bytes
    targets = item.deliveries.filter { isNew || $0.state.value == .pending }.map { delivery in
      Target(
        name: delivery.target, attempts: isNew ? 0 : delivery.attempts, state: delivery,
        failures: reports.first { $0.name == delivery.target }?.failures ?? 0)
    }
  }

  /// Takes the picture's current state.
  mutating func take(_ item: SpoolItemReport, after seconds: Double) {
    for index in targets.indices where targets[index].end == nil {
      let known = targets[index]
      guard let state = item.deliveries.first(where: { $0.target == known.name }) else { continue }
      targets[index].state = state
      if state.state.value != .pending || state.attempts > known.attempts {
        targets[index].end = seconds
      }
    }
  }

  /// Takes the targets' current states: a target waits after a failure, even at another picture.
  mutating func take(_ reports: [TargetReport], after seconds: Double) {
    for index in targets.indices where targets[index].end == nil {
      let target = targets[index]
      guard let report = reports.first(where: { $0.name == target.name }),
        report.failures > target.failures, report.state.value == .waitingToRetry
      else { continue }
      targets[index].end = seconds
      targets[index].failure = report.detail ?? report.state.rawValue
    }
  }

  /// Whether each target has the picture or has failed.
  var isOver: Bool { targets.allSatisfy { $0.end != nil } }

  /// Returns a line for each target that has not finished yet.
  func lines(_ reports: [TargetReport]) -> [String] {
    targets.filter { $0.end == nil }.map { target in
      let report = reports.first { $0.name == target.name }
      let sent = report?.running.first { $0.itemID == id }?.bytesSent
      let state = report?.state.rawValue ?? "unknown"
      return "to \(target.name): "
        + (sent.map { "\(Figures.bytes($0)) of \(Figures.bytes(bytes)) sent" } ?? state)
    }
  }

  /// Returns a result for each target.
  ///
  /// - Parameter limit: the time waited in seconds.
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
      guard state.state.value == .done else {
        let what = state.state.value == .pending ? "an attempt failed" : "it is \(state.state)"
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
