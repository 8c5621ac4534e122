import Capture
import Devices
import Spool
import Synchronization
import Upload

import struct Upload.Receipt

/// The states of all parts of the rig in one place.
///
/// Lights, API and supervisor read the states here and derive none of their own. A listener gets no
/// change when a noted value equals the one before.
actor RigMonitor {
  /// The temperature of a zone; `nil` when it cannot be read.
  struct Temperature: Sendable, Hashable {
    var zone: String
    var celsius: Double?
    var limits: ThermalLimits?
  }

  /// The rig's heat, the firmware's flags, and the constraints on the rig.
  struct Heat: Sendable, Hashable {
    var state = ThermalState.nominal
    var temperatures: [Temperature] = []
    /// The zone that is hottest against its own limits.
    var hottest: ThermalReading?
    /// The firmware's flags; `nil` on a board without such firmware.
    var throttle: ThrottleStatus?
    /// The reason why the firmware's flags cannot be read; `nil` when they can be, or are absent.
    var throttleProblem: String?
    var isUndervoltage = false
    var constraints = ThermalConstraints.none
    /// Whether the rig powers off because it is too hot.
    var isShuttingDown = false

    /// The zones that cannot be read.
    private var unreadable: [String] { temperatures.filter { $0.celsius == nil }.map(\.zone) }

    /// Returns whether listeners are told of a change; temperatures alone are not reported.
    fileprivate func isNews(after before: Heat) -> Bool {
      state != before.state || throttle != before.throttle || constraints != before.constraints
        || isUndervoltage != before.isUndervoltage || isShuttingDown != before.isShuttingDown
        || throttleProblem != before.throttleProblem || unreadable != before.unreadable
    }
  }

  /// The activity of a target, and the reason why it waits.
  struct Upload: Sendable, Hashable {
    var activity: IndicatorLanguage.UploadActivity
    var detail: String?
  }

  /// A fault of a part while captures continue.
  struct Fault: Sendable, Hashable {
    var reason: InterruptionReason
    /// The part's name, for example the button's.
    var part: String

    /// Returns the fault of a target for which pictures are set aside.
    static func parked(_ target: String) -> Fault {
      Fault(reason: .deliveryParked, part: "target \(target)")
    }
  }

  /// The last instruction to a light.
  struct Light: Sendable, Hashable {
    var pattern: IndicatorPattern
    /// Whether the instruction failed.
    var isFailing: Bool
  }

  /// A press whose picture has a warning.
  struct Warned: Sendable, Hashable {
    var press: Int64
    var warning: PageWarning
  }

  /// The complete state at one moment.
  struct Snapshot: Sendable {
    var readiness = Readiness(state: .sessionNotRunning, reasons: [], capturesInFlight: 0)
    var heat = Heat()
    var accelerometer: AccelerometerState
    /// The newest reading of the accelerometer, which is no ``Change``.
    var gravity: AccelerometerSample?
    /// The acceleration in the rig's axes.
    var acceleration: Acceleration? { gravity?.acceleration }
    /// The activity of each target by its name.
    var uploads: [String: Upload] = [:]

    /// The faults while captures continue, the oldest first.
    var faults: [Fault] = []
    /// The known number of lost edges by the button's name.
    var lostEdges: [String: Int] = [:]
    /// The number of pulses that were too short for a press, by the button's name.
    var spikes: [String: Int] = [:]
    /// The last instruction to each light.
    var lights: [IndicatorRole: Light] = [:]
    /// The time of the power off unless it is called off; `nil` when none is scheduled.
    var powerOffArmedUntil: MonotonicInstant?
    /// Whether a technician has paused the uploads.
    var areUploadsPaused = false
    /// The seconds until the picture of a page that was turned; `nil` without a countdown.
    var countdown: Int?
    /// The total number of refused presses at the last refusal; `nil` after an admitted press.
    var refusal: Int?
    /// The first warning about the last picture; `nil` without one, and after an admitted press.
    var warned: Warned?
    /// Whether frames of a recording are written.
    var isRecording = false

    /// The activity of all targets together; a wait for an unreachable target takes precedence.
    var upload: IndicatorLanguage.UploadActivity {
      if areUploadsPaused { return .paused }
      let activities = Set(uploads.values.map(\.activity))
      return activities.contains(.waitingToRetry)
        ? .waitingToRetry : activities.contains(.active) ? .active : .idle
    }
  }

  /// The kinds of changes.
  enum Change: Sendable {
    /// An event of the session.
    case capture(CaptureEvent)
    case thermal(Heat)
    case accelerometer(AccelerometerState)
    /// The activity of all targets together; sent when a target changes its activity or is held.
    case upload(IndicatorLanguage.UploadActivity)
    case delivery(DeliveryChange)
    /// A loss of delivery events, because their listener was too slow.
    case lost
    /// The beginning or the end of a fault.
    case fault(Fault)
    case lostEdges(Int, button: String)
    case spikes(Int, button: String)
    case powerOff(armedUntil: MonotonicInstant?)
    case uploadsPaused(Bool)
    /// The seconds until the picture of a page that was turned; `nil` at the end of a countdown.
    case countdown(Int?)

    /// Whether a new snapshot differs from the one before.
    fileprivate var isOfSnapshot: Bool {
      switch self {
      case .capture(.readiness), .capture(.press), .capture(.movie): true
      case .capture, .delivery, .lost: false
      case .thermal, .accelerometer, .upload, .fault, .lostEdges, .spikes, .powerOff,
        .uploadsPaused, .countdown:
        true
      }
    }
  }

  /// The outcome of one delivery.
  struct DeliveryChange: Sendable, Hashable {
    enum Outcome: Sendable, Hashable {
      case began
      case completed(Receipt)
      case failed(reason: String)
      case parked(reason: String)
    }

    var itemID: String
    /// The number of the picture's press; `nil` when it has none.
    var press: Int64?
    var target: String
    var outcome: Outcome
  }

  /// The session's states, which its events change at once.
  private struct Followed {
    var readiness = Readiness(state: .sessionNotRunning, reasons: [], capturesInFlight: 0)
    var refusal: Int?
    var refusalCount = 0
    var warned: Warned?
    var isRecording = false
    /// The number of the newest admitted press.
    private var newestPress = Int64.min

    mutating func take(_ event: CaptureEvent) {
      switch event {
      case .readiness(let readiness): self.readiness = readiness
      case .press(let record):
        switch record.outcome {
        case .refused: refuse()
        case .stored(let photo): take(photo, of: record.press.number)
        case nil where record.frame == nil:
          refusal = nil
          warned = nil
          newestPress = max(newestPress, record.press.number)
        case nil: break
        }
      case .movie(.status(let status)): isRecording = status.state == .recording
      case .movie(.finished(let record)):
        if case .refused = record.outcome, record.press != nil { refuse() }
      case .session, .progress, .interruption, .configuration, .rotation: break
      }
    }

    private mutating func refuse() {
      refusalCount += 1
      refusal = refusalCount
    }

    /// Takes a stored picture; after the next press was admitted, its warning comes too late.
    private mutating func take(_ photo: StoredPhoto, of press: Int64) {
      guard press >= newestPress else { return }
      warned = photo.page?.warnings.first.map { Warned(press: press, warning: $0) }
    }
  }

  /// All changes, for all listeners.
  nonisolated let changes = EventHub<Change>()
  /// The complete current state.
  var snapshot: Snapshot {
    var snapshot = known
    let followed = followed.withLock { $0 }
    snapshot.readiness = followed.readiness
    snapshot.refusal = followed.refusal
    snapshot.warned = followed.warned
    snapshot.isRecording = followed.isRecording
    return snapshot
  }
  private let followed = Mutex(Followed())
  private var known: Snapshot
  /// The counts of the spool at the last query.
  private(set) var latestCounts: SpoolCounts?
  /// The heat of the last day.
  private(set) var thermalHistory = ThermalHistory()

  init(hasAccelerometer: Bool) {
    known = Snapshot(accelerometer: hasAccelerometer ? .absent : .none)
  }

  /// Follows a session, whose events become changes on the sender's thread.
  nonisolated func follow(_ events: EventHub<CaptureEvent>) {
    events.forward { [weak self] event in
      guard let self else { return }
      followed.withLock { $0.take(event) }
      changes.send(.capture(event))
    }
  }

  /// Returns a sign after each change of the snapshot; the next reading of the snapshot shows it.
  ///
  /// At most one sign waits, because the state at the time of reading counts.
  nonisolated func snapshotChanges() -> AsyncStream<Change> {
    changes.listen(limit: 1, where: { $0.isOfSnapshot })
  }

  /// Notes the rig's heat.
  ///
  /// - Parameter time: the time of the reading; `nil` for a heat that the history does not get.
  func note(heat: Heat, readAt time: MonotonicInstant? = nil) {
    if let time { thermalHistory.take(heat, at: time) }
    let isNews = heat.isNews(after: known.heat)
    known.heat = heat
    if isNews { changes.send(.thermal(heat)) }
  }

  /// Takes the heat of an earlier run of the service.
  ///
  /// - Returns: `false` while the times cannot be told yet.
  func restore(_ kept: ThermalHistory.Kept, at now: BootMoment) -> Bool {
    thermalHistory.restore(kept, at: now)
  }

  func note(accelerometer state: AccelerometerState) {
    guard state != known.accelerometer else { return }
    known.accelerometer = state
    changes.send(.accelerometer(state))
  }

  func note(gravity sample: AccelerometerSample) {
    known.gravity = sample
  }

  func note(
    upload activity: IndicatorLanguage.UploadActivity, detail: String?, target: String
  ) {
    let before = known.uploads.updateValue(
      Upload(activity: activity, detail: detail), forKey: target)
    if (before?.activity ?? .idle) != activity { changes.send(.upload(known.upload)) }
  }

  /// Notes that a target has been held or released.
  func noteHeldTargets() { changes.send(.upload(known.upload)) }

  func note(uploadsPaused isPaused: Bool) {
    guard isPaused != known.areUploadsPaused else { return }
    known.areUploadsPaused = isPaused
    changes.send(.uploadsPaused(isPaused))
  }

  func note(countdown seconds: Int?) {
    guard seconds != known.countdown else { return }
    known.countdown = seconds
    changes.send(.countdown(seconds))
  }

  func note(powerOffArmedUntil instant: MonotonicInstant?) {
    guard instant != known.powerOffArmedUntil else { return }
    known.powerOffArmedUntil = instant
    changes.send(.powerOff(armedUntil: instant))
  }

  func begin(_ fault: Fault) {
    guard !known.faults.contains(fault) else { return }
    known.faults.append(fault)
    changes.send(.fault(fault))
  }

  func end(_ fault: Fault) {
    guard known.faults.contains(fault) else { return }
    known.faults.removeAll { $0 == fault }
    changes.send(.fault(fault))
  }

  func note(lostEdges count: Int, of button: String) {
    guard count > 0 else { return }
    known.lostEdges[button, default: 0] += count
    changes.send(.lostEdges(count, button: button))
  }

  func note(spikes count: Int, of button: String) {
    guard count > 0 else { return }
    known.spikes[button, default: 0] += count
    changes.send(.spikes(count, button: button))
  }

  func note(light: Light, of role: IndicatorRole) {
    known.lights[role] = light
  }

  func note(counts: SpoolCounts?) {
    latestCounts = counts ?? latestCounts
  }

  func note(delivery change: DeliveryChange) {
    changes.send(.delivery(change))
  }
}
