/// Why a session cannot take pictures although it was asked to run.
///
/// An open set, spelled as it appears in logs and in the API. The order of ``priority`` decides
/// which one a single light shows.
public struct InterruptionReason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The reason's spelling, in lower camel case.
  public let rawValue: String

  /// Makes a reason from its spelling.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The spool failed to write; the service is about to restart.
  public static let storageFailed = InterruptionReason(rawValue: "storageFailed")
  /// The disk keeps the spool waiting.
  public static let storageStalled = InterruptionReason(rawValue: "storageStalled")
  /// The spool has no room for another picture.
  public static let storageFull = InterruptionReason(rawValue: "storageFull")
  /// The rig is too hot.
  public static let thermalPressure = InterruptionReason(rawValue: "thermalPressure")
  /// No camera is there.
  public static let cameraAbsent = InterruptionReason(rawValue: "cameraAbsent")
  /// Another process uses the camera.
  public static let cameraInUse = InterruptionReason(rawValue: "cameraInUse")
  /// The service may not open the camera.
  public static let cameraNotAuthorized = InterruptionReason(rawValue: "cameraNotAuthorized")
  /// The camera gives no frames.
  public static let cameraStalled = InterruptionReason(rawValue: "cameraStalled")
  /// The camera reported a fault.
  public static let cameraFailed = InterruptionReason(rawValue: "cameraFailed")

  /// All reasons, the most important first.
  public static let priority: [InterruptionReason] = [
    storageFailed, storageStalled, storageFull, thermalPressure, cameraAbsent,
    cameraNotAuthorized, cameraInUse, cameraStalled, cameraFailed,
  ]

  /// The spelling.
  public var description: String { rawValue }
}

/// Whether a press would be taken now (AVFoundation's `CaptureReadiness`).
public struct Readiness: Sendable, Hashable {
  /// The states, in AVFoundation's words.
  public enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// The session does not run or is interrupted.
    case sessionNotRunning
    /// A press would be taken.
    case ready
    /// The stream has begun but no frame has come yet.
    case notReadyMomentarily
    /// All captures that may be in flight wait for their frames.
    case notReadyWaitingForCapture
    /// All captures that may be in flight are there, and at least one is being encoded or stored.
    case notReadyWaitingForProcessing
  }

  /// The state.
  public var state: State
  /// Why the session is interrupted, the most important first; empty when it is not.
  public var reasons: [InterruptionReason]
  /// How many presses have no outcome yet.
  public var capturesInFlight: Int

  /// Makes a readiness.
  public init(state: State, reasons: [InterruptionReason], capturesInFlight: Int) {
    self.state = state
    self.reasons = reasons
    self.capturesInFlight = capturesInFlight
  }
}

/// The one place where readiness is made, from what the parts of the rig say of themselves.
public struct ReadinessStateMachine: Sendable {
  /// How many captures may be in flight at a time, 1 or more.
  public let maximumCapturesInFlight: Int
  private var isRunning = false
  private var framesFlow = false
  private var interruptions: Set<InterruptionReason> = []
  private var waitingForFrame = 0
  private var processing = 0

  /// Makes the machine of a session that does not run.
  public init(maximumCapturesInFlight: Int) {
    self.maximumCapturesInFlight = max(1, maximumCapturesInFlight)
  }

  /// The session was started or stopped.
  public mutating func setRunning(_ isRunning: Bool) {
    self.isRunning = isRunning
    if !isRunning { framesFlow = false }
  }

  /// Frames began or ceased to come.
  public mutating func setFramesFlow(_ framesFlow: Bool) {
    self.framesFlow = framesFlow
  }

  /// An interruption begins; returns whether it is new.
  @discardableResult
  public mutating func begin(_ reason: InterruptionReason) -> Bool {
    interruptions.insert(reason).inserted
  }

  /// An interruption ends; returns whether it had begun.
  @discardableResult
  public mutating func end(_ reason: InterruptionReason) -> Bool {
    interruptions.remove(reason) != nil
  }

  /// The captures in flight changed.
  public mutating func setCaptures(waitingForFrame: Int, processing: Int) {
    self.waitingForFrame = waitingForFrame
    self.processing = processing
  }

  /// The readiness now.
  public var readiness: Readiness {
    let known = InterruptionReason.priority.filter(interruptions.contains)
    let others = interruptions.subtracting(known).sorted { $0.rawValue < $1.rawValue }
    return Readiness(
      state: state, reasons: known + others, capturesInFlight: waitingForFrame + processing)
  }

  private var state: Readiness.State {
    guard isRunning, interruptions.isEmpty else { return .sessionNotRunning }
    guard framesFlow else { return .notReadyMomentarily }
    guard waitingForFrame + processing >= maximumCapturesInFlight else { return .ready }
    return processing > 0 ? .notReadyWaitingForProcessing : .notReadyWaitingForCapture
  }

  /// Why a press would be refused now; `nil` when it would be taken.
  public var refusal: RefusalReason? {
    let readiness = readiness
    switch readiness.state {
    case .ready: return nil
    case .sessionNotRunning, .notReadyMomentarily:
      return readiness.reasons.first.map { RefusalReason($0) } ?? .sessionNotRunning
    case .notReadyWaitingForCapture, .notReadyWaitingForProcessing:
      return .tooManyCapturesInFlight
    }
  }
}
