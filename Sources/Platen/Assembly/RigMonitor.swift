import Capture
import Devices

/// What all parts of the rig say of themselves, in one place.
///
/// Lights, API and supervisor read from here; nothing shows a state of its own making.
actor RigMonitor {
  /// A temperature and where it was read.
  struct Temperature: Sendable, Hashable {
    var zone: String
    var celsius: Double
  }

  /// Everything that is known at one moment.
  struct Snapshot: Sendable {
    var readiness = Readiness(state: .sessionNotRunning, reasons: [], capturesInFlight: 0)
    var session = CaptureSessionStatus()
    var thermal = ThermalState.nominal
    var temperatures: [Temperature] = []
    var accelerometer: AccelerometerHealth.State
    var acceleration: Acceleration?
    var upload = IndicatorLanguage.UploadActivity.idle
    var uploadDetail: String?
  }

  /// What changed.
  enum Change: Sendable {
    case readiness(Readiness)
    case press(PressRecord)
    case session(CaptureSessionStatus)
    case rotation(captureAngle: Int)
    case thermal(ThermalState, [Temperature])
    case accelerometer(AccelerometerHealth.State)
    case upload(IndicatorLanguage.UploadActivity, detail: String?)
    case delivery(DeliveryReport)
  }

  /// What became of one delivery.
  enum DeliveryReport: Sendable {
    case began(itemID: String)
    case completed(itemID: String)
    case failed(itemID: String, reason: String)
  }

  /// All changes, for all who listen.
  nonisolated let changes = EventHub<Change>()
  private(set) var snapshot: Snapshot

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

  func note(upload activity: IndicatorLanguage.UploadActivity, detail: String?) {
    guard activity != snapshot.upload || detail != snapshot.uploadDetail else { return }
    snapshot.upload = activity
    snapshot.uploadDetail = detail
    changes.send(.upload(activity, detail: detail))
  }

  func note(delivery report: DeliveryReport) {
    changes.send(.delivery(report))
  }
}
