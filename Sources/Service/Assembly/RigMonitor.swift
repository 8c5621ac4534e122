import Capture
import Devices
import Spool
import Synchronization

/// The states of all parts of the rig in one place.
///
/// Lights, API and supervisor read the states here and derive none of their own. A listener gets no
/// change when a noted value equals the one before.
actor RigMonitor {
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
