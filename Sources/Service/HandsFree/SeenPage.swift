import Capture
import PageSense

/// The look of a page before the camera: its letters where it has some, and its coarse fields.
///
/// Pages of text are told apart by their letters alone, because the fields are coarser than lines.
/// Pages without text, and a look in passing, have fields alone.
struct SeenPage: PageAppearance {
  /// The look of the letters; `nil` without text.
  var letters: PageLook?
  /// The look of the coarse fields, by which pictures are told apart.
  var fields: PageFingerprint

  func isSamePage(as other: SeenPage) -> Bool {
    if let letters, let others = other.letters { return letters.isSamePage(as: others) }
    return fields.isSamePage(as: other.fields)
  }
}
