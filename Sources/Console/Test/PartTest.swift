import API

/// The test of a part of the rig.
package protocol PartTest: Sendable {
  /// The part.
  var part: TestPart { get }

  /// Tests the part.
  ///
  /// - Returns: a result for each instance of the part.
  /// - Throws: ``RigClientError``; the caller turns `refused` into a result.
  func run(_ client: RigClient, _ guide: TestGuide) async throws(RigClientError) -> [TestResult]
}

extension PartTest {
  /// Tests the part; asks the doctor about failures.
  ///
  /// A refusal by the rig is a result.
  ///
  /// - Throws: ``RigClientError``, but never `refused`.
  package func results(
    _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    let clock = ContinuousClock()
    let start = clock.now
    var results: [TestResult]
    do throws(RigClientError) {
      results = try await run(client, guide)
    } catch {
      guard case .refused(let cause) = error else { throw error }
      let isMissing = cause.code == .unsupported
      results = [
        TestResult(
          part, isMissing ? .skipped : .failed, seen: [cause.message],
          code: isMissing ? nil : cause.code.rawValue)
      ]
    }
    let seconds = start.duration(to: clock.now) / .seconds(1)
    for index in results.indices {
      // A test of several things reports the time for each of them itself.
      let own = results[index].seconds > 0 ? results[index].seconds : seconds
      results[index].seconds = (own * 1000).rounded() / 1000
    }
    guard results.contains(where: { $0.verdict == .failed }) else { return results }
    return add(try await client.complaints(of: part.examined, guide), to: results)
  }

  /// Adds the doctor's findings to the failed results, matched by subject if there are several.
  private func add(
    _ findings: [DoctorReport.Finding], to results: [TestResult]
  ) -> [TestResult] {
    results.map { result in
      guard result.verdict == .failed else { return result }
      var result = result
      for finding in findings
      where results.count == 1 || result.subject == nil || finding.subject == result.subject {
        if result.code == nil { result.code = finding.code }
        let name = finding.subject.map { "\($0): " } ?? ""
        let seen = "the doctor finds: \(name)\(finding.seen)"
        if finding.code != result.code, !result.seen.contains(seen) { result.seen.append(seen) }
        if let advice = finding.advice, !result.advice.contains(advice) {
          result.advice.append(advice)
        }
      }
      return result
    }
  }
}

extension RigClient {
  /// Returns the doctor's complaints about parts of the rig, the faults first.
  func complaints(
    of parts: [DoctorPart], _ guide: TestGuide
  ) async throws(RigClientError) -> [DoctorReport.Finding] {
    let findings = try await guide.wait("examining") {
      () throws(RigClientError) -> [DoctorReport.Finding] in
      var findings: [DoctorReport.Finding] = []
      for part in parts {
        findings += try await call(Operations.examine, DoctorPartChoice(part)).findings
      }
      return findings
    }
    return findings.filter { $0.verdict == .fault } + findings.filter { $0.verdict == .warning }
  }
}
