import API
import ArgumentParser
import Console
import Devices

/// The end of a setup: the doctor examines the rig, and a first picture is taken.
package struct FirstPicture {
  /// The time that the service has to become ready.
  private static let readyTimeout = Duration.seconds(90)

  let connection: ConnectionOptions

  /// Takes the picture with this machine's service, which has just started.
  ///
  /// - Returns: whether a picture is stored, and the findings and the outcome in lines for people.
  package static func report() async -> (isStored: Bool, lines: [String]) {
    let output = CollectedOutput(wantsJSON: false)
    let isStored = await Terminal.$output.withValue(output) {
      do {
        let picture = FirstPicture(connection: try ConnectionOptions.parse([]))
        try await picture.untilReady()
        _ = try await picture.take()
        return true
      } catch {
        _ = CommandRunner.explain(error)
        return false
      }
    }
    return (isStored, output.lines)
  }

  /// Waits until the service is ready, for ``readyTimeout`` at most.
  ///
  /// - Parameter begun: the moment before which no service counts, because an old one may still
  ///   answer; `nil` for any service.
  func untilReady(startedSince begun: ContinuousClock.Instant? = nil) async throws {
    let end = ContinuousClock.now + Self.readyTimeout
    await connection.passingTime("waiting for the service") { () async -> Void in
      while !Task.isCancelled, .now < end {
        let status = await currentStatus()
        let age = begun.map { $0.duration(to: .now) / .seconds(1) } ?? .infinity
        if let status, status.uptimeSeconds < age, status.readiness.state.value == .ready { return }
        // The stream of events ends with the old service.
        try? await Task.sleep(for: .milliseconds(500))
      }
    }
    try Task.checkCancellation()
  }

  /// Lets the doctor examine the rig, and takes a picture where a press would be taken.
  ///
  /// - Returns: the error of the examination, which a fault is; `nil` without a fault.
  /// - Throws: an error when no picture was stored.
  func take() async throws -> (any Error)? {
    var failure: (any Error)?
    do { try await CommandRunner.perform(["doctor"] + options) } catch { failure = error }
    let readiness = await currentStatus()?.readiness
    guard readiness?.state.value == .ready else {
      let reason =
        readiness.map { $0.reasons.first?.rawValue ?? $0.state.rawValue }
        ?? "the service does not answer"
      Terminal.complain(
        "No picture was taken: \(reason). Do what the doctor says, then run \"platenctl shoot\".")
      throw ExitCode(1)
    }
    try await CommandRunner.perform(["shoot"] + options)
    return failure
  }

  private func currentStatus() async -> RigStatus? {
    try? await connection.client.status(within: ConnectionOptions.timeout)?.get()
  }

  /// The options that lead the other commands to the same service.
  var options: [String] {
    let socket = ConnectionOptions.consoleSocket == nil ? ["--socket", connection.socket] : []
    return socket + (connection.form.isJSONWanted ? ["--json"] : [])
  }
}
