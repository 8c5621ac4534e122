import API

extension FakeRig {
  func end(_ ending: EndingReport.Ending) async throws(APIError) -> EndingReport {
    if let refusal = endings.refusal { throw refusal }
    editEndings { $0.asked.append(ending) }
    return EndingReport(ending: ending, pressesInFlight: 2)
  }
}

/// The endings that a fake rig was asked for, and the reason why it refuses.
struct FakeEndings {
  var asked: [EndingReport.Ending] = []
  var refusal: APIError?
}
