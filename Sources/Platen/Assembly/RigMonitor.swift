import Capture
import Devices
import Spool

/// What all parts of the rig say of themselves, in one place.
///
/// Lights, API and supervisor read from here; nothing shows a state of its own making.
actor RigMonitor {
  /// The temperature of a zone; `nil` when it cannot be read.
  struct Temperature: Sendable, Hashable {
    var zone: String
    var celsius: Double?
    var limits: ThermalLimits?
  }

  /// How hot the rig is, what the firmware says, and what the rig does without.
  struct Heat: Sendable, Hashable {
    var state = ThermalState.nominal
    var temperatures: [Temperature] = []
    /// The zone that is hottest against its own limits.
    var hottest: ThermalReading?
    /// `nil` on a board without such a firmware.
    var throttle: ThrottleStatus?
    var isUndervoltage = false
    var constraints = ThermalConstraints.none
    /// Whether the rig is switched off because it is too hot.
    var isShuttingDown = false

    /// What listeners hear of; temperatures alone are no news.
    fileprivate func isNews(after before: Heat) -> Bool {
      state != before.state || throttle != before.throttle || constraints != before.constraints
        || isUndervoltage != before.isUndervoltage || isShuttingDown != before.isShuttingDown
    }
  }

  /// What a target does, and why it waits.
  struct Upload: Sendable, Hashable {
    var activity: IndicatorLanguage.UploadActivity
    var detail: String?
  }

  /// Something that is wrong with a part while captures go on.
  struct Fault: Sendable, Hashable {
    var reason: InterruptionReason
    /// The part's name, for example the button's.
    var part: String
  }

  /// What a light was told to show.
  struct Light: Sendable, Hashable {
    var pattern: IndicatorPattern
    /// Whether it could not be told.
    var isFailing: Bool
  }

  /// Everything that is known at one moment.
  struct Snapshot: Sendable {
    var readiness = Readiness(state: .sessionNotRunning, reasons: [], capturesInFlight: 0)
    var session = CaptureSessionStatus()
    var heat = Heat()
    var accelerometer: AccelerometerHealth.State
    /// The newest reading of the accelerometer.
    var gravity: AccelerometerSample?
    /// What it says in the rig's axes.
    var acceleration: Acceleration? { gravity?.acceleration }
    /// What each target does, by its name.
    var uploads: [String: Upload] = [:]

    /// What is wrong while captures go on, the oldest first.
    var faults: [Fault] = []
    /// Edges that buttons are known to have lost, by the button's name.
    var lostEdges: [String: Int] = [:]
    /// Pulses of buttons that were too short for a press, by the button's name.
    var spikes: [String: Int] = [:]
    /// What each light was told to show last.
    var lights: [IndicatorRole: Light] = [:]
    /// When the power goes off unless that is called off; `nil` when it does not.
    var powerOffArmedUntil: MonotonicInstant?
    /// Whether a technician holds the uploads back.
    var areUploadsPaused = false
    /// How many presses had been refused with the last one that was, until another is admitted.
    var refusal: Int?

    /// What all targets do together: waiting for one that cannot be reached is what has to be shown.
    var upload: IndicatorLanguage.UploadActivity {
      if areUploadsPaused { return .paused }
      let activities = Set(uploads.values.map(\.activity))
      return activities.contains(.waitingToRetry)
        ? .waitingToRetry : activities.contains(.active) ? .active : .idle
    }
  }

  /// What changed.
  enum Change: Sendable {
    case readiness(Readiness)
    case press(PressRecord)
    case progress(CaptureProgress)
    case interruption(Interruption)
    case session(CaptureSessionStatus)
    case configuration(ResolvedSessionSettings)
    case rotation(captureAngle: Int)
    case thermal(Heat)
    case accelerometer(AccelerometerHealth.State)
    /// What all targets do together; sent when one of them does something else, or is held.
    case upload(IndicatorLanguage.UploadActivity)
    case delivery(DeliveryChange)
    /// News of a delivery that nobody came to follow.
    case lost
    case faults([Fault])
    case lostEdges(Int, button: String)
    case spikes(Int, button: String)
    case powerOff(armedUntil: MonotonicInstant?)
    case uploadsPaused(Bool)
  }

  /// What became of one delivery.
  struct DeliveryChange: Sendable, Hashable {
    enum Outcome: Sendable, Hashable {
      case began, completed
      case failed(reason: String)
      case parked(reason: String)
    }

    var itemID: String
    var target: String
    var outcome: Outcome
  }

  /// All changes, for all who listen.
  nonisolated let changes = EventHub<Change>()
  /// Everything that is known now; the readiness is the session's own, of this moment.
  private(set) var snapshot: Snapshot {
    get {
      guard let readiness else { return known }
      var snapshot = known
      snapshot.readiness = readiness()
      return snapshot
    }
    set { known = newValue }
  }
  private var known: Snapshot
  private var readiness: (@Sendable () -> Readiness)?
  private var refusalCount = 0
  /// What was in the spool when it was last asked.
  private(set) var latestCounts: SpoolCounts?

  init(hasAccelerometer: Bool) {
    known = Snapshot(accelerometer: hasAccelerometer ? .absent : .none)
  }

  /// Takes the readiness from the session itself from now on: its events come later, and the oldest
  /// of too many are lost.
  func readReadiness(_ readiness: @escaping @Sendable () -> Readiness) {
    self.readiness = readiness
  }

  /// Follows a session until its events end.
  func follow(_ events: AsyncStream<CaptureEvent>) async {
    for await event in events {
      switch event {
      case .readiness(let readiness):
        snapshot.readiness = readiness
        changes.send(.readiness(readiness))
      case .press(let record):
        note(record)
        changes.send(.press(record))
      case .progress(let progress):
        changes.send(.progress(progress))
      case .interruption(let interruption):
        changes.send(.interruption(interruption))
      case .session(let status):
        snapshot.session = status
        changes.send(.session(status))
      case .configuration(let resolved):
        changes.send(.configuration(resolved))
      case .rotation(let captureAngle):
        changes.send(.rotation(captureAngle: captureAngle))
      }
    }
  }

  private func note(_ record: PressRecord) {
    if case .refused = record.outcome {
      refusalCount += 1
      snapshot.refusal = refusalCount
    } else if record.outcome == nil, record.frame == nil {
      snapshot.refusal = nil
    }
  }

  func note(heat: Heat) {
    let isNews = heat.isNews(after: snapshot.heat)
    snapshot.heat = heat
    if isNews { changes.send(.thermal(heat)) }
  }

  func note(accelerometer state: AccelerometerHealth.State) {
    guard state != snapshot.accelerometer else { return }
    snapshot.accelerometer = state
    changes.send(.accelerometer(state))
  }

  func note(gravity sample: AccelerometerSample) {
    snapshot.gravity = sample
  }

  func note(
    upload activity: IndicatorLanguage.UploadActivity, detail: String?, target: String
  ) {
    let before = snapshot.uploads.updateValue(
      Upload(activity: activity, detail: detail), forKey: target)
    if (before?.activity ?? .idle) != activity { changes.send(.upload(snapshot.upload)) }
  }

  /// Takes note that a target was told what holds it, or that nothing does.
  func noteHeldTargets() { changes.send(.upload(snapshot.upload)) }

  func note(uploadsPaused isPaused: Bool) {
    guard isPaused != snapshot.areUploadsPaused else { return }
    snapshot.areUploadsPaused = isPaused
    changes.send(.uploadsPaused(isPaused))
  }

  func note(powerOffArmedUntil instant: MonotonicInstant?) {
    guard instant != snapshot.powerOffArmedUntil else { return }
    snapshot.powerOffArmedUntil = instant
    changes.send(.powerOff(armedUntil: instant))
  }

  func begin(_ fault: Fault) {
    guard !snapshot.faults.contains(fault) else { return }
    snapshot.faults.append(fault)
    changes.send(.faults(snapshot.faults))
  }

  func end(_ fault: Fault) {
    guard snapshot.faults.contains(fault) else { return }
    snapshot.faults.removeAll { $0 == fault }
    changes.send(.faults(snapshot.faults))
  }

  func note(lostEdges count: Int, of button: String) {
    snapshot.lostEdges[button, default: 0] += count
    changes.send(.lostEdges(count, button: button))
  }

  func note(spikes count: Int, of button: String) {
    snapshot.spikes[button, default: 0] += count
    changes.send(.spikes(count, button: button))
  }

  func note(light: Light, of role: IndicatorRole) {
    snapshot.lights[role] = light
  }

  func note(counts: SpoolCounts?) {
    latestCounts = counts ?? latestCounts
  }

  func note(delivery change: DeliveryChange) {
    changes.send(.delivery(change))
  }
}
