package import Devices
package import Settings

/// The section `page`: the reading of each picture's page.
///
/// A reading never refuses a press and never loses a picture.
package struct PageSection: SettingsPart, Hashable {
  /// Whether the page of each picture is read.
  package var isEnabled = true
  /// Whether the text turns pictures for which gravity cannot tell.
  package var decidesOrientation = true
  /// The height of a small letter x in pixels below which the letters are too small, 4 to 100.
  package var minimumLetterHeight = 10.0
  /// The angle in degrees above which a page is crooked, 0.2 to 45.
  package var maximumSkew = 3.0
  /// The warnings that are given.
  ///
  /// An empty page is left out, because many pages of a book are empty.
  package var warnings = PageWarning.allCases.filter { $0 != .pageEmpty }

  package init() {}

  /// The keys of the section, except for ``isEnabled``.
  package static let settings: [Setting<PageSection>] = [
    Setting(
      \.decidesOrientation, "orientation", .boolean,
      "whether the text turns pictures upright for which gravity cannot tell"),
    Setting(
      \.minimumLetterHeight, "minimum_letter_height", .number(4...100, unit: "pixels"),
      "the height of a small letter x below which the letters are too small for a reader"),
    Setting(
      \.maximumSkew, "maximum_skew", .number(0.2...45, unit: "degrees"),
      "the angle above which a page lies crooked"),
    Setting(
      list: \.warnings, "warnings", of: .word, default: "all but pageEmpty",
      "the warnings about a picture for which its page should be taken again"),
  ]
}

extension PlatenConfiguration {
  /// The setting of the section `page`, or of a word that turns all of it off.
  static let pageSetting = Setting<PlatenConfiguration>.valueOrSection(
    \PlatenConfiguration.page.isEnabled, "page", .words(["on": true, "off": false]),
    valueKey: "enabled",
    "the reading of each picture's page: which way up it is, and what is wrong with it",
    valueMeaning: "whether pages are read",
    PageSection.settings.map { $0.at(\PlatenConfiguration.page) })
}
