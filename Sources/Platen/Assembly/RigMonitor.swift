import Capture
import Devices
import Spool

/// What all parts of the rig say of themselves, in one place.
///
/// Lights, API and supervisor read from here; nothing shows a state of its own making.
actor RigMonitor {
  /// A temperature and where it was read.
  struct Temperature: Sendable, Hashable {
    var zone: String
    var celsius: Double
  }

  /// What a target does, and why it waits.
  struct Upload: Sendable, Hashable {
    var activity: IndicatorLanguage.UploadActivity
    var detail: String?
  }

  /// Everything that is known at one moment.
  struct Snapshot: Sendable {
    var readiness = Readiness(state: .sessionNotRunning, reasons: [], capturesInFlight: 0)
    var session = CaptureSessionStatus()
    var thermal = ThermalState.nominal
    var temperatures: [Temperature] = []
    var accelerometer: AccelerometerHealth.State
    var acceleration: Acceleration?
    /// What each target does, by its name.
    var uploads: [String: Upload] = [:]

    /// What all targets do together: waiting for one that cannot be reached is what has to be shown.
    var upload: IndicatorLanguage.UploadActivity {
      let activities = Set(uploads.values.map(\.activity))
      return activities.contains(.waitingToRetry)
        ? .waitingToRetry : activities.contains(.active) ? .active : .idle
    }
  }

  /// What changed.
  enum Change: Sendable {
    case readiness(Readiness)
    case press(PressRecord)
    case session(CaptureSessionStatus)
    case rotation(captureAngle: Int)
    case thermal(ThermalState, [Temperature])
    case accelerometer(AccelerometerHealth.State)
    case upload(IndicatorLanguage.UploadActivity)
    case delivery(DeliveryChange)
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
  private(set) var snapshot: Snapshot
  /// What was in the spool when it was last asked.
  private(set) var latestCounts: SpoolCounts?

  init(hasAccelerometer: Bool) {
    snapshot = Snapshot(accelerometer: hasAccelerometer ? .absent : .none)
  }

  /// Follows a session until its events end.
  func follow(_ events: AsyncStream<CaptureEvent>) async {
    for await event in events {
      switch event {
      case .readiness(let readiness):
        snapshot.readiness = readiness
        changes.send(.readiness(readiness))
      case .press(let record):
        changes.send(.press(record))
      case .session(let status):
        snapshot.session = status
        changes.send(.session(status))
      case .rotation(let captureAngle):
        changes.send(.rotation(captureAngle: captureAngle))
      }
    }
  }

  func note(temperatures: [Temperature], state: ThermalState) {
    let changed = state != snapshot.thermal
    snapshot.temperatures = temperatures
    snapshot.thermal = state
    if changed { changes.send(.thermal(state, temperatures)) }
  }

  func note(accelerometer state: AccelerometerHealth.State) {
    guard state != snapshot.accelerometer else { return }
    snapshot.accelerometer = state
    changes.send(.accelerometer(state))
  }

  func note(acceleration: Acceleration) {
    snapshot.acceleration = acceleration
  }

  func note(
    upload activity: IndicatorLanguage.UploadActivity, detail: String?, target: String
  ) {
    let before = snapshot.upload
    snapshot.uploads[target] = Upload(activity: activity, detail: detail)
    let after = snapshot.upload
    if after != before { changes.send(.upload(after)) }
  }

  func note(counts: SpoolCounts?) {
    latestCounts = counts ?? latestCounts
  }

  func note(delivery change: DeliveryChange) {
    changes.send(.delivery(change))
  }
}
