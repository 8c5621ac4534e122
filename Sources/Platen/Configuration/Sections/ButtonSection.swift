package import Capture

/// The action of a gesture.
package enum ButtonAction: String, Sendable, Hashable, CaseIterable {
  /// Takes a picture of the moment of the push.
  case shoot
  /// Takes a picture that replaces the last one.
  case retake
  /// Focuses the camera.
  case focus
  /// Switches to the next camera.
  case switchCamera = "switch_camera"
  /// Pauses or resumes the uploads.
  case pauseUploads = "pause_uploads"
  /// Powers the machine off; only for `hold`, which can be called off.
  case powerOff = "power_off"
}

/// A section of `buttons`, or the section `shutter`: a button's line and its gestures.
///
/// | key | value | default |
/// |---|---|---|
/// | `line` | the line's name | |
/// | `chip`, `offset` | the chip's label and the line's number, instead of `line` | |
/// | `bias` | `as-is`, `disabled`, `pull-up` or `pull-down` | `pull-up` |
/// | `active_low` | whether a pressed button pulls the line to ground | `true` |
/// | `debounce` | quiet time that a push needs before it, 0 ms to 1 s | `30 ms` |
/// | `shortest_press` | the time that the contact must be closed for a press, 0 ms to 100 ms | `5 ms` |
/// | `single`, `double`, `long` | `shoot`, `retake`, `focus`, `switch_camera` or `pause_uploads` | nothing |
/// | `hold` | `power_off` | nothing |
/// | `double_within` | from the first push to the second, 100 ms to 2 s; with `double` | `400 ms` |
/// | `long_after` | from the push, 300 ms to 10 s; with `long` | `800 ms` |
/// | `hold_after` | from the push until the machine is armed, 1 s to 20 s; with `hold` | `3 s` |
/// | `cancel_within` | the time in which the armed machine can be called off, 1 s to 1 min; with `hold` | `5 s` |
/// | `stuck_after` | from the push until the button counts as stuck, 1 s to 1 h | `30 s` |
///
/// `shutter` is the short form of one button with the name `shutter` whose `single` is `shoot`; it
/// has the first six keys and `stuck_after`.
package struct ButtonSection: Sendable, Hashable {
  /// The resistor at the line.
  package enum Bias: String, Sendable, Hashable, CaseIterable {
    /// The resistor as the hardware or an earlier user left it.
    case asIs = "as-is"
    /// No resistor.
    case disabled
    /// A resistor to the supply.
    case pullUp = "pull-up"
    /// A resistor to ground.
    case pullDown = "pull-down"
  }

  /// The button's name, 1 to 32 of `a-z 0-9 - _`.
  package var name: String
  /// The line.
  package var line: GPIOLineName
  /// The resistor at the line.
  package var bias = Bias.pullUp
  /// Whether a pressed button pulls the line to ground.
  package var isActiveLow = true
  /// The quiet time before a push.
  package var debounce = Duration.milliseconds(30)
  /// The time that the contact must be closed for a press.
  package var shortestPress = Duration.milliseconds(5)
  /// The actions of the gestures; at least one gesture has one.
  package var actions: [Gesture: ButtonAction] = [.single: .shoot]
  /// The times that distinguish the gestures; `bound` contains the keys of ``actions``.
  package var gestures = GestureSettings()

  /// Reads the short form.
  init?(shutter section: ConfigurationMapping) {
    self.init(section, name: "shutter") { _ in }
  }

  init?(_ section: ConfigurationMapping, name: String) {
    self.init(section, name: name) { button in button.readGestures(section) }
  }

  private init?(
    _ section: ConfigurationMapping, name: String, readGestures: (inout ButtonSection) -> Void
  ) {
    let line = GPIOLineName(section)
    self.name = name
    self.line = line ?? .name("")
    bias = section.word("bias", Bias.self) ?? bias
    isActiveLow = section.boolean("active_low") ?? isActiveLow
    debounce = section.duration("debounce", in: .zero...(.seconds(1))) ?? debounce
    shortestPress =
      section.duration("shortest_press", in: .zero...(.milliseconds(100))) ?? shortestPress
    let stuckAfter = section.duration("stuck_after", in: .seconds(1)...(.seconds(3600)))
    gestures.stuckAfter = stuckAfter ?? gestures.stuckAfter
    readGestures(&self)
    section.refuseUnknownKeys()
    guard line != nil else { return nil }
  }

  /// Reads the section `buttons`, in the order of the file.
  static func read(_ section: ConfigurationMapping) -> [ButtonSection] {
    if section.keys.isEmpty { section.note("expected at least one button") }
    defer { section.refuseUnknownKeys() }
    return section.keys.compactMap { name in
      let isName =
        (1...32).contains(name.utf8.count)
        && name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-_".utf8.contains($0) }
      if !isName {
        section.note("expected a button's name, 1 to 32 of the characters a-z 0-9 - _", at: name)
      }
      let button = section.section(name).flatMap { ButtonSection($0, name: name) }
      return isName ? button : nil
    }
  }
}

// MARK: gestures

extension ButtonSection {
  private mutating func readGestures(_ section: ConfigurationMapping) {
    actions = [:]
    for gesture in Gesture.allCases {
      guard let action = section.word(gesture.rawValue, ButtonAction.self) else { continue }
      actions[gesture] = action
      refuseConflicts(of: gesture, action, section)
    }
    let wasGiven = Gesture.allCases.contains { section.has($0.rawValue) }
    if !wasGiven {
      section.note("has no gesture; expected one of single, double, long, hold")
    }
    gestures.bound = Set(actions.keys)
    readTimes(section)
  }

  private func refuseConflicts(
    of gesture: Gesture, _ action: ButtonAction, _ section: ConfigurationMapping
  ) {
    let key = gesture.rawValue
    if action == .powerOff, gesture != .hold {
      section.note("power_off goes with \"hold\" only, which can be called off", at: key)
    } else if action != .powerOff, gesture == .hold {
      section.note("goes with power_off only; use \"long\" for \(action.rawValue)", at: key)
    } else if let other = actions.first(where: { $0.value == action && $0.key != gesture }) {
      section.note("\(action.rawValue) is what \"\(other.key.rawValue)\" does already", at: key)
    }
  }

  private mutating func readTimes(_ section: ConfigurationMapping) {
    func time(
      _ key: String, of gesture: Gesture, in range: ClosedRange<Duration>, _ target: inout Duration
    ) {
      let value = section.duration(key, in: range)
      if section.has(key), !section.has(gesture.rawValue) {
        section.note("goes with \"\(gesture.rawValue)\" only", at: key)
      }
      target = value ?? target
    }
    let second = Duration.seconds(1)
    time(
      "double_within", of: .double, in: .milliseconds(100)...(second * 2), &gestures.doubleWithin)
    time("long_after", of: .long, in: .milliseconds(300)...(second * 10), &gestures.longAfter)
    time("hold_after", of: .hold, in: second...(second * 20), &gestures.holdAfter)
    time("cancel_within", of: .hold, in: second...(second * 60), &gestures.cancelWithin)
    refuseDisorder(section)
  }

  /// Refuses times in an order in which a gesture could not happen.
  private func refuseDisorder(_ section: ConfigurationMapping) {
    func note(_ problem: String, at keys: String...) {
      section.note(problem, at: keys.first { section.has($0) } ?? keys[0])
    }
    let (hasDouble, hasLong) = (actions[.double] != nil, actions[.long] != nil)
    let hasHold = actions[.hold] != nil
    let unrest = ContactDebouncer.longestUnrest(quietTime: debounce)
    if hasDouble, gestures.doubleWithin <= debounce * 2 {
      note(
        "\"double_within\" must be longer than two times \"debounce\"", at: "double_within",
        "debounce")
    }
    if hasLong, gestures.longAfter <= unrest {
      note(
        "\"long_after\" must be longer than three times \"debounce\"", at: "long_after", "debounce")
    }
    if hasLong, hasHold, gestures.holdAfter <= gestures.longAfter {
      note("\"hold_after\" must be longer than \"long_after\"", at: "hold_after", "long_after")
    }
    if hasHold, gestures.holdAfter <= unrest {
      note(
        "\"hold_after\" must be longer than three times \"debounce\"", at: "hold_after", "debounce")
    }
    let longest = max(
      hasHold ? gestures.holdAfter + gestures.cancelWithin : .zero,
      hasLong ? gestures.longAfter : .zero, hasDouble ? gestures.doubleWithin : .zero)
    if gestures.stuckAfter <= longest {
      note(
        "\"stuck_after\" must be longer than every gesture, with the time to call it off",
        at: "stuck_after", "cancel_within", "hold_after")
    }
  }
}
