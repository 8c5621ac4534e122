import API

extension FakeRig {
  func end(_ ending: EndingReport.Ending) async throws(APIError) -> EndingReport {
    if let refusal = endings.refusal { throw refusal }
    editEndings { $0.asked.append(ending) }
    return EndingReport(ending: ending, pressesInFlight: 2)
  }
}

/// What a fake rig was told to end, and why it does not.
struct FakeEndings {
  var asked: [EndingReport.Ending] = []
  var refusal: APIError?
}
