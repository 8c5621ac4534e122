package import Capture
package import Devices
package import LinuxDevices
package import Settings

/// The action of a gesture.
package enum ButtonAction: String, Sendable, Hashable, CaseIterable {
  /// Takes a picture of the moment of the push.
  case shoot
  /// Takes a picture that replaces the last one.
  case retake
  /// Takes the pictures of a bracket, which `image.bracket` names.
  case bracket
  /// Starts a recording, or ends it.
  case record
  /// Focuses the camera.
  case focus
  /// Switches to the next camera.
  case switchCamera = "switch_camera"
  /// Pauses or resumes the uploads.
  case pauseUploads = "pause_uploads"
  /// Powers the machine off; only for `hold`, which can be called off.
  case powerOff = "power_off"

  /// Whether the action takes pictures of the push.
  package var takesPictures: Bool {
    switch self {
    case .shoot, .retake, .bracket: true
    case .record, .focus, .switchCamera, .pauseUploads, .powerOff: false
    }
  }
}

/// A section of `buttons`: a button's line, contact and gestures.
package struct ButtonSection: SettingsPart, Hashable {
  /// The line.
  package var line = GPIOLineAddress.unnamed
  /// The resistor at the line.
  package var bias = GPIOLineBias.pullUp
  /// Whether a pressed button pulls the line to ground.
  package var isActiveLow = true
  /// The button's name, contact and times; the gestures with an action are bound.
  package var button = ButtonPanel.Button(
    name: "", debounce: .milliseconds(30), shortestPress: .milliseconds(5),
    gestures: GestureSettings(bound: []))
  /// The actions of the gestures; at least one gesture has one.
  package var actions: [Gesture: ButtonAction] = [:]

  /// Makes the button of a section without a line, which is refused.
  package init() {}

  /// The button's name, 1 to 32 of `a-z 0-9 - _`.
  package var name: String { button.name }

  /// The keys of the contact, then those of the gestures.
  package static let settings: [Setting<ButtonSection>] = contact + gestures + times

  /// The keys of the line and its contact, which the short form has too.
  static let contact: [Setting<ButtonSection>] = [
    GPIOLineAddress.setting.at(\ButtonSection.line),
    Setting(\.bias, "bias", .word, "the resistor at the line"),
    Setting(\.isActiveLow, "active_low", .boolean, "whether a push pulls the line to ground"),
    Setting(
      \.button.debounce, "debounce", .duration(.zero...(.seconds(1))),
      "the quiet time that a push needs before it"),
    Setting(
      \.button.shortestPress, "shortest_press", .duration(.zero...(.milliseconds(100))),
      "the time that the contact must be closed for a press"),
    Setting(
      \.button.gestures.stuckAfter, "stuck_after", .duration(.seconds(1)...(.seconds(3600))),
      "the time from the push until the button counts as stuck"),
  ]

  private static let gestures: [Setting<ButtonSection>] = [
    Setting(\.actions[Gesture.single], "single", quick, "the action of one push"),
    Setting(\.actions[Gesture.double], "double", quick, "the action of two pushes"),
    Setting(\.actions[Gesture.long], "long", quick, "the action of a long push"),
    Setting(
      \.actions[Gesture.hold], "hold", action(among: [.powerOff]),
      "the action of a held button, which can be called off"),
  ]

  private static let times: [Setting<ButtonSection>] = [
    Setting(
      \.button.gestures.doubleWithin, "double_within",
      .duration(.milliseconds(100)...(.seconds(2))), only: "with double",
      "the time from the first push to the second"),
    Setting(
      \.button.gestures.longAfter, "long_after", .duration(.milliseconds(300)...(.seconds(10))),
      only: "with long", "the time after which a push is long"),
    Setting(
      \.button.gestures.holdAfter, "hold_after", .duration(.seconds(1)...(.seconds(20))),
      only: "with hold", "the time after which the machine is armed to switch off"),
    Setting(
      \.button.gestures.cancelWithin, "cancel_within", .duration(.seconds(1)...(.seconds(60))),
      only: "with hold", "the time in which the armed machine can be called off"),
  ]

  private static let quick = action(among: ButtonAction.allCases.filter { $0 != .powerOff })

  /// Returns the form of a gesture's actions.
  ///
  /// The other actions are read too, and refused when all gestures are known.
  private static func action(among allowed: [ButtonAction]) -> SettingForm<ButtonAction> {
    let words = allowed.map(\.rawValue).joined(separator: ", ")
    var form = SettingForm<ButtonAction>.word
    form.range = words
    form.expected = allowed.count == 1 ? words : "one of \(words)"
    return form
  }
}

/// The section `shutter`: the short form of a button that takes pictures.
struct ShutterSection: SettingsPart {
  var section = ButtonSection()

  init() {
    section.button.name = "shutter"
    section.button.gestures.bound = [.single]
    section.actions = [.single: .shoot]
  }

  static let settings: [Setting<ShutterSection>] = ButtonSection.contact.map {
    $0.at(\ShutterSection.section)
  }
}

/// The buttons: the section `shutter`, or the section `buttons`.
extension PlatenConfiguration {
  /// The setting of the section `shutter`; its button comes first.
  static let shutterSetting = Setting<PlatenConfiguration>.section(
    "shutter", default: "none: presses come over the API",
    "one button with the name shutter that takes pictures; excludes buttons"
  ) { (shutter: ShutterSection, root: inout PlatenConfiguration) in
    root.buttons.insert(shutter.section, at: 0)
  }

  /// The setting of the section `buttons`.
  static let buttonsSetting = Setting<PlatenConfiguration>.named(
    "buttons", "NAME", name: .name(1...32, of: .lowercase), noun: "button", needsOne: true,
    "several buttons; excludes shutter", partMeaning: "a button"
  ) {
    (
      name: String, button: ButtonSection, _: SettingsSection, root: inout PlatenConfiguration
    ) in
    var button = button
    button.button.name = name
    root.buttons.append(button)
  }

  /// Refuses `shutter` beside `buttons`, and keeps the buttons of the latter.
  static func refuseTwoForms(
    _ configuration: inout PlatenConfiguration, _ root: SettingsSection
  ) {
    guard root.has("shutter"), root.has("buttons") else { return }
    root.note("is the short form of \"buttons\"; keep one of the two", at: "shutter")
    if root.isSection("shutter") { configuration.buttons.removeFirst() }
  }
}
