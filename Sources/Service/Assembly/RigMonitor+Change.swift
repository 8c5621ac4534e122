import Capture
import Devices
import Upload

import struct Upload.Receipt

/// The changes that a monitor tells its listeners.
extension RigMonitor {
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
    var isOfSnapshot: Bool {
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
}
