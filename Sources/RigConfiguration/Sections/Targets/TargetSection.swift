package import Settings
package import Spool
package import Upload

/// A target of the section `targets`: a destination of pictures, by its name.
///
/// The value of `kind` decides about the keys of the destination (``TargetKinds``).
package struct TargetSection: SettingsPart {
  /// The target's name: 1 to 32 of `a-z 0-9 - _`; deliveries are remembered under it.
  package var name = ""
  /// The target's kind, in the word of the file.
  package var kind = ""
  /// The destination with its settings.
  package var destination: any TargetKind = DirectoryConfiguration()
  /// The times, the rates and the retries of deliveries.
  package var policy = UploadPolicy()
  /// The handling of pictures whose final version follows.
  package var proxies = ProxyPolicy.finalOnly

  /// Makes a section without a name and a destination.
  package init() {}

  private static let kind: Setting<TargetSection> = .variant(
    "kind", TargetKinds.all, "the kind of the target"
  ) { (word: String, destination: any TargetKind, target: inout TargetSection) in
    target.kind = word
    target.destination = destination
  }

  private static let proxies: Setting<TargetSection> = Setting(
    \.proxies, "deferred", .word, only: "with image.deferred",
    "the versions of a deferred picture that the target gets: the final one, the one that there "
      + "is, or first the single frame and then the final one under another name")

  /// The settings of a target of any kind.
  package static let settings: [Setting<TargetSection>] =
    [kind] + UploadPolicy.settings.map { $0.at(\TargetSection.policy) } + [proxies]

  /// Refuses settings of deliveries that do not agree.
  package func agree(in section: SettingsSection) { policy.agree(in: section) }
}

extension PlatenConfiguration {
  private static let targetName: SettingForm<String> = SettingForm<String>.name(
    1...32, of: .lowercase
  ).map(
    { $0 == TargetID.unassigned.rawValue ? nil : $0 }, text: { $0 })

  /// The setting of the section `targets`.
  package static let targetSettings: Setting<PlatenConfiguration> = .named(
    "targets", "NAME", name: targetName, noun: "target", default: "pictures stay in the spool",
    "the destinations of pictures",
    partMeaning: "a destination; deliveries are remembered under its name"
  ) {
    (
      name: String, target: TargetSection, _: SettingsSection,
      configuration: inout PlatenConfiguration
    ) in
    var target = target
    target.name = name
    configuration.targets.append(target)
  }
}
