import Capture
import Devices
package import Settings

/// The checks of a button's gestures and their times.
extension ButtonSection {
  /// Refuses gestures that exclude each other, and times in an impossible order.
  package mutating func agree(in section: SettingsSection) {
    for gesture in Gesture.allCases {
      if let action = actions[gesture] { refuseConflicts(of: gesture, action, section) }
    }
    if !Gesture.allCases.contains(where: { section.has($0.rawValue) }) {
      section.note("has no gesture; expected one of single, double, long, hold")
    }
    button.gestures.bound = Set(actions.keys)
    for (key, gesture) in Self.gestureTimes
    where section.has(key) && !section.has(gesture.rawValue) {
      section.note("goes with \"\(gesture.rawValue)\" only", at: key)
    }
    refuseDisorder(section)
  }

  /// The keys of times that only one gesture has.
  private static let gestureTimes: [(key: String, gesture: Gesture)] = [
    ("double_within", .double), ("long_after", .long), ("hold_after", .hold),
    ("cancel_within", .hold),
  ]

  private func refuseConflicts(
    of gesture: Gesture, _ action: ButtonAction, _ section: SettingsSection
  ) {
    let key = gesture.rawValue
    let earlier = Gesture.allCases.prefix { $0 != gesture }
    if action == .powerOff, gesture != .hold {
      section.note("power_off goes with \"hold\" only, which can be called off", at: key)
    } else if action != .powerOff, gesture == .hold {
      section.note("goes with power_off only; use \"long\" for \(action.rawValue)", at: key)
    } else if let other = earlier.first(where: { actions[$0] == action }) {
      section.note("\(action.rawValue) is what \"\(other.rawValue)\" does already", at: key)
    }
  }

  /// Refuses times in an order in which a gesture could not happen.
  private func refuseDisorder(_ section: SettingsSection) {
    let (gestures, debounce) = (button.gestures, button.debounce)
    let (hasDouble, hasLong) = (actions[.double] != nil, actions[.long] != nil)
    let hasHold = actions[.hold] != nil
    let unrest = ContactDebouncer.longestUnrest(quietTime: debounce)
    if hasDouble, gestures.doubleWithin <= debounce * 2 {
      section.note(
        "\"double_within\" must be longer than two times \"debounce\"",
        at: section.firstPresent("double_within", "debounce"))
    }
    if hasLong, gestures.longAfter <= unrest {
      section.note(
        "\"long_after\" must be longer than three times \"debounce\"",
        at: section.firstPresent("long_after", "debounce"))
    }
    if hasLong, hasHold, gestures.holdAfter <= gestures.longAfter {
      section.note(
        "\"hold_after\" must be longer than \"long_after\"",
        at: section.firstPresent("hold_after", "long_after"))
    }
    if hasHold, gestures.holdAfter <= unrest {
      section.note(
        "\"hold_after\" must be longer than three times \"debounce\"",
        at: section.firstPresent("hold_after", "debounce"))
    }
    let longest = max(
      hasHold ? gestures.holdAfter + gestures.cancelWithin : .zero,
      hasLong ? gestures.longAfter : .zero, hasDouble ? gestures.doubleWithin : .zero)
    if gestures.stuckAfter <= longest {
      section.note(
        "\"stuck_after\" must be longer than every gesture, with the time to call it off",
        at: section.firstPresent("stuck_after", "cancel_within", "hold_after"))
    }
  }
}
