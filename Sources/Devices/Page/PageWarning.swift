/// The problem of a picture for which the page should be taken again.
///
/// The cases are in the order of their importance: of several warnings, a light shows the first. A
/// warning never refuses a press and never loses a picture.
package enum PageWarning: String, Sendable, Hashable, Codable, CaseIterable {
  /// A hand or a finger covers a part of the page.
  case pageCovered
  /// The page goes beyond the picture.
  case pageCutOff
  /// The text is blurred.
  case textBlurred
  /// The reflection of a light covers a part of the page.
  case glare
  /// A part of the page is too dark or too bright for its text.
  case badExposure
  /// The letters have too few pixels for a reader.
  case lettersTooSmall
  /// The text is crooked.
  case pageCrooked
  /// The page has nothing on it.
  case pageEmpty
  /// The page is the one of the picture before.
  case pageRepeated

  /// The facts that lights, console and page show.
  package struct Facts: Sendable {
    /// The meaning, a sentence without its full stop.
    package let meaning: String
    /// The advice, one or two sentences for the operator; the first word is the action.
    package let advice: String
  }

  /// The facts of the warning.
  package var facts: Facts {
    switch self {
    case .pageCovered:
      Facts(
        meaning: "a hand covers a part of the page",
        advice: "Take the hand away, and take the page again.")
    case .pageCutOff:
      Facts(
        meaning: "the page goes beyond the picture",
        advice: "Move the page into the middle, and take it again.")
    case .textBlurred:
      Facts(
        meaning: "the text is blurred",
        advice: "Hold the page still, and take it again. Focus anew if it stays blurred.")
    case .glare:
      Facts(
        meaning: "a reflection covers a part of the page",
        advice: "Turn the lamp or the page until the reflection is gone, and take it again.")
    case .badExposure:
      Facts(
        meaning: "a part of the page is too dark or too bright",
        advice: "Light the page evenly, and take it again.")
    case .lettersTooSmall:
      Facts(
        meaning: "the letters are too small for a reader",
        advice: "Bring the camera nearer, or set a larger \"camera.preset\".")
    case .pageCrooked:
      Facts(meaning: "the page lies crooked", advice: "Straighten the page, and take it again.")
    case .pageEmpty:
      Facts(meaning: "the page is empty", advice: "Go on if that is right.")
    case .pageRepeated:
      Facts(
        meaning: "the page is the same as before",
        advice: "Turn the page, and take the next one.")
    }
  }
}
