import Capture
import Devices

extension ButtonEvent {
  /// The event in a few letters, with its times in milliseconds.
  var text: String {
    switch self {
    case .anticipated(let time): "anticipated@\(time.text)"
    case .gesture(let gesture, let time): "\(gesture.rawValue)@\(time.text)"
    case .withdrawn(let time, let reason): "\(reason.rawValue)@\(time.text)"
    case .armed(let time, let until): "armed@\(time.text)-\(until.text)"
    case .faultBegan(let reason, let time): "+\(reason)@\(time.text)"
    case .faultEnded(let reason, let time): "-\(reason)@\(time.text)"
    case .spikes(let count, let time): "spikes\(count)@\(time.text)"
    case .lostEdges(let count, let time): "lost\(count)@\(time.text)"
    }
  }
}

/// A check that the events of one button keep the promises of ``ButtonEvent``.
struct EventGrammar {
  private var open: MonotonicInstant?
  private var isArmed = false
  private var faults: Set<InterruptionReason> = []
  private(set) var gestures: [MonotonicInstant] = []
  private(set) var mistakes: [String] = []

  mutating func take(_ event: ButtonEvent, isSingleOnly: Bool) {
    switch event {
    case .anticipated(let time):
      if isSingleOnly { mistakes.append("\(event.text): a plain press was delayed") }
      if open != nil { mistakes.append("\(event.text): one is open") }
      if !faults.isEmpty { mistakes.append("\(event.text): in \(faults)") }
      open = time
    case .gesture(let gesture, let time):
      if !faults.isEmpty { mistakes.append("\(event.text): in \(faults)") }
      if isSingleOnly {
        if open != nil || gesture != .single { mistakes.append("\(event.text): wrong") }
      } else if open != time {
        mistakes.append("\(event.text): not anticipated")
      }
      if isArmed != (gesture == .hold) { mistakes.append("\(event.text): armed \(isArmed)") }
      if let last = gestures.last, last >= time { mistakes.append("\(event.text): twice") }
      gestures.append(time)
      open = nil
      isArmed = false
    case .withdrawn(let time, _):
      if open != time { mistakes.append("\(event.text): not anticipated") }
      open = nil
      isArmed = false
    case .armed:
      if open == nil || isArmed { mistakes.append("\(event.text): nothing to arm") }
      isArmed = true
    case .faultBegan(let reason, _):
      if !faults.insert(reason).inserted { mistakes.append("\(event.text): begun twice") }
    case .faultEnded(let reason, _):
      if faults.remove(reason) == nil { mistakes.append("\(event.text): not begun") }
    case .lostEdges(let count, _), .spikes(let count, _):
      if count < 1 { mistakes.append("\(event.text): none") }
    }
  }

  /// Checks the state after all lines have been quiet for a long time.
  mutating func end() {
    if let open { mistakes.append("anticipated@\(open.text) has no outcome") }
    if !faults.isEmpty { mistakes.append("\(faults) did not end") }
  }
}
