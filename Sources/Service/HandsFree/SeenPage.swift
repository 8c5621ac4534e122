import Capture
import PageSense

/// The look of a page before the camera: its letters where it has some, and its coarse fields.
///
/// Pages of text are told apart by their letters, because the fields are coarser than lines.
/// Letters have fixed places only where the page stands out: a touch moves them in any other look.
/// Pages without text, and a look in passing, have fields alone.
struct SeenPage: PageAppearance {
  /// The look of the letters; `nil` without text.
  var letters: PageLook?
  /// The look of the coarse fields, by which pictures are told apart.
  var fields: PageFingerprint

  func isSamePage(as other: SeenPage) -> Bool {
    if let letters, let others = other.letters {
      if letters.isSamePage(as: others) { return true }
      if letters.isOutlined, others.isOutlined { return false }
    }
    return fields.isSamePage(as: other.fields)
  }
}
