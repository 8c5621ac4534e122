import API

/// The configuration file of the fake rig, and what it was told.
struct FakeConfiguration {
  var changes: [ConfigurationChange] = []
  var rollbacks: [ConfigurationRollback] = []
  var checked: [String] = []
  /// The error of the next call that can fail.
  var failure: APIError?
}

extension FakeRig {
  func configurationFile() async throws(APIError) -> ConfigurationReport {
    if let failure = configuration.failure { throw failure }
    return ConfigurationSamples.report
  }

  func configurationHistory() async throws(APIError) -> ConfigurationHistory {
    if let failure = configuration.failure { throw failure }
    return ConfigurationSamples.history
  }

  func configurationDifference(
    from number: Int
  ) async throws(APIError) -> ConfigurationDifference {
    guard let entry = ConfigurationSamples.history.entries.first(where: { $0.number == number })
    else { throw APIError(.notFound, "There is no earlier text with the number \(number).") }
    return ConfigurationDifference(entry: entry, lines: ["-a: 1", "+a: 2"])
  }

  func checkConfiguration(_ text: String) async -> ConfigurationCheckReport {
    editConfiguration { $0.checked.append(text) }
    return ConfigurationCheckReport(issues: text.contains("red") ? ["\"color\": unknown"] : [])
  }

  func changeConfiguration(
    _ change: ConfigurationChange
  ) async throws(APIError) -> ConfigurationChangeReport {
    editConfiguration { $0.changes.append(change) }
    if let failure = configuration.failure { throw failure }
    return ConfigurationSamples.change
  }

  func rollBackConfiguration(
    _ rollback: ConfigurationRollback
  ) async throws(APIError) -> ConfigurationChangeReport {
    editConfiguration { $0.rollbacks.append(rollback) }
    if let failure = configuration.failure { throw failure }
    return ConfigurationSamples.change
  }

  func network() async -> NetworkReport { ConfigurationSamples.network }

  func time() async -> TimeReport { ConfigurationSamples.time }
}

/// Answers of a rig.
enum ConfigurationSamples {
  static let declarations = DeclarationsReport(
    settings: [
      DeclarationsReport.Setting(
        path: "camera.frame_rate", type: "number", range: "1 to 120", standard: "30",
        meaning: "the frames a second", isReserved: false)
    ],
    codes: [
      DeclarationsReport.Code(
        code: "cameraUnplugged", flashes: "1-2", meaning: "the camera is gone",
        advice: "Check the cable.")
    ])
  static let hash = String(repeating: "cd", count: 32)

  static let report = ConfigurationReport(
    path: "/etc/platen/platen.yaml", hash: hash, runningHash: hash,
    text: "rig: { id: rig-7 } # ours\nboard: linux\n", issues: [])

  static let history = ConfigurationHistory(
    entries: [
      ConfigurationHistoryEntry(
        number: 2, hash: hash, time: "2026-11-21T10:00:00.000Z", bytes: 812),
      ConfigurationHistoryEntry(number: 0, hash: hash, time: nil, bytes: 800),
    ])

  static let change = ConfigurationChangeReport(
    hash: hash, lines: [" camera:", "-  frame_rate: 30", "+  frame_rate: 25"], needsRestart: true)

  static let network = NetworkReport(
    interfaces: [
      .init(
        name: "eth0", state: "up", hasCarrier: true, addresses: ["192.168.1.20"],
        isLoopback: false)
    ], defaultRoutes: [.init(family: "IPv4", gateway: "192.168.1.1", interface: "eth0")],
    otherRoutes: [
      .init(
        family: "IPv4", destination: "192.168.1.0/24", gateway: nil, interface: "eth0")
    ],
    nameServers: [
      .init(
        address: "192.168.1.1", source: "/etc/resolv.conf", answerMilliseconds: nil,
        problem: "does not answer within 2.0 seconds")
    ],
    targets: [
      TargetProbeReport(
        target: "archive", endpoint: "pages.example:443", failedStep: .resolve,
        problem: "Name or service not known")
    ], isClockSynchronized: true)

  static let time = TimeReport(
    time: "2026-11-21T10:00:00.000Z", trust: "synchronized", isPlausible: true,
    secondsFromGMT: 3600, source: "timesyncd", offsetMilliseconds: 0.25,
    maximumErrorMilliseconds: 12.5, monotonicNanoseconds: 5_000_000_000, bootID: "b",
    machineUptimeSeconds: 5, isBootDated: true)
}
