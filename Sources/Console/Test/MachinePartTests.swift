package import API

/// A test of whether each zone's temperature is plausible and the supply holds.
package struct TemperaturePartTest: PartTest {
  /// The plausible temperatures of a rig in degrees Celsius.
  static let plausible = -20.0...110.0

  /// The part, see ``PartTest``.
  package let part = TestPart.temperature

  package init() {}

  /// Runs the test, see ``PartTest``.
  package func run(
    _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    let findings = try await client.complaints(of: part.examined, guide)
    return [Self.result(try await client.status().thermal, findings)]
  }

  /// Converts the readings and the doctor's findings to a result.
  static func result(
    _ thermal: ThermalReport, _ findings: [DoctorReport.Finding]
  ) -> TestResult {
    guard
      !thermal.temperatures.isEmpty || thermal.firmware != nil || thermal.firmwareProblem != nil
    else {
      return TestResult(.temperature, .skipped, seen: ["this rig measures no temperature"])
    }
    var result = TestResult(.temperature, .passed, seen: [])
    for zone in thermal.temperatures {
      let limits = zone.limits.map {
        ", slows down at \(Figures.decimal($0.serious, 0)) °C and stops at "
          + "\(Figures.decimal($0.critical, 0)) °C"
      }
      result.seen.append(
        "\(zone.zone) \(Figures.decimal(zone.celsius, 1)) °C\(limits ?? "")")
      result.figures["\(zone.zone)Celsius"] = zone.celsius
      if zone.celsius.map({ !plausible.contains($0) }) ?? true {
        result.verdict = .failed
        result.code = "sensorUnreadable"
        result.seen.append("\(zone.zone) has no temperature that can be")
      }
    }
    let firmware = thermal.firmware.map {
      $0.now.isEmpty ? "nothing" : $0.now.map(\.rawValue).joined(separator: ", ")
    }
    result.seen.append(
      "the rig's thermal state is \(thermal.state)"
        + (firmware.map { "; the firmware complains of \($0)" } ?? ""))
    if let fault = findings.first(where: { $0.verdict == .fault }) {
      result.verdict = .failed
      result.code = result.code ?? fault.code
    } else {
      result.seen += findings.map { "the doctor warns: \($0.seen)" }
    }
    return result
  }
}

/// A test of whether the spool's disk stores bytes and returns them unchanged.
package struct StoragePartTest: PartTest {
  /// The part, see ``PartTest``.
  package let part = TestPart.storage
  private let request: StorageTestRequest

  package init(_ request: StorageTestRequest) { self.request = request }

  /// Runs the test, see ``PartTest``.
  package func run(
    _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    guide.say("The disk is tested with a file of \(request.mebibytes ?? 8) MiB.")
    let report = try await guide.wait("writing and reading") { () throws(RigClientError) in
      try await client.call(Operations.testStorage, request)
    }
    return [Self.result(report)]
  }

  /// Converts the report to a result.
  static func result(_ report: StorageTestReport) -> TestResult {
    var seen = ["\"\(report.directory)\", \(free(report)) free"]
    if report.bytes > 0 {
      seen.append(
        "\(report.bytes >> 20) MiB written at \(Figures.decimal(report.writeRate, 1)) MiB/s, read "
          + "back the same at \(Figures.decimal(report.readRate, 1)) MiB/s")
      seen.append(
        "4 KiB are on stable storage after \(Figures.decimal(report.syncMilliseconds, 1)) ms")
    }
    return TestResult(
      .storage, report.problem, seen: seen,
      figures: [
        "bytes": Double(report.bytes), "writeMebibytesPerSecond": report.writeRate,
        "readMebibytesPerSecond": report.readRate, "syncMilliseconds": report.syncMilliseconds,
        "freeBytes": report.freeBytes.map(Double.init),
      ])
  }

  private static func free(_ report: StorageTestReport) -> String {
    report.freeBytes.map { Figures.bytes($0) } ?? "an unknown number of bytes"
  }
}

/// A test of whether the rig can reach each of its targets.
package struct NetworkPartTest: PartTest {
  /// The part, see ``PartTest``.
  package let part = TestPart.network

  package init() {}

  /// Runs the test, see ``PartTest``.
  package func run(
    _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    guide.say("Name servers and targets are asked; that takes some seconds.")
    let report = try await guide.wait("asking servers") { () throws(RigClientError) in
      try await client.call(Operations.network)
    }
    return [Self.result(report, try await client.complaints(of: part.examined, guide))]
  }

  /// Converts the report and the doctor's findings to a result.
  static func result(
    _ report: NetworkReport, _ findings: [DoctorReport.Finding]
  ) -> TestResult {
    let interfaces = report.interfaces.filter { !$0.isLoopback }
    let fault = findings.first { $0.verdict == .fault }
    guard
      fault != nil || report.problem != nil || !interfaces.isEmpty || !report.targets.isEmpty
    else {
      return TestResult(.network, .skipped, seen: ["this rig has no network and no target"])
    }
    let isReached = report.problem == nil && !report.targets.contains { $0.failedStep != nil }
    var result = TestResult(
      .network, fault == nil && isReached ? .passed : .failed,
      seen: interfaces.map(\.text)
        + report.defaultRoutes.map { "route \($0.text)" }
        + report.nameServers.map { "name server \($0.text)" }
        + report.targets.map { "target \($0.text)" }, code: fault?.code)
    result.seen.append(
      report.isClockSynchronized
        ? "the clock is synchronized"
        : "the clock is not synchronized: certificates may seem invalid")
    if let problem = report.problem { result.seen.append(problem) }
    for target in report.targets {
      result.figures["\(target.target)ConnectMilliseconds"] = target.connectMilliseconds
    }
    return result
  }
}
