import Settings
import Synchronization
import Testing

/// The words that decide about further keys.
@Suite struct SettingsVariantTests {
  /// A start reads a section of one kind, and makes no settings of the others.
  @Test func `the settings of a word are not made before the word is read`() {
    let variant = SettingsVariant("counted", "a count", CountedPart()) { $0 }
    _ = Setting<CountedPart>.variant("kind", [variant], "the kind") {
      (_: String, part: CountedPart, root: inout CountedPart) in
      root = part
    }
    #expect(CountedPart.madeCount.withLock { $0 } == 0)
  }

  /// A part that counts how often its settings are made.
  private struct CountedPart: SettingsPart {
    static let madeCount = Mutex(0)

    static var settings: [Setting<CountedPart>] {
      madeCount.withLock { $0 += 1 }
      return []
    }
  }
}
