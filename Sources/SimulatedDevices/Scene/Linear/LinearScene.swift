/// A scene in linear light for a lens with a depth of focus and a sensor with noise.
package struct LinearScene: Sendable, Hashable {
  /// The things before the camera.
  package enum Subject: String, Sendable, Hashable, CaseIterable {
    /// The page on the desk.
    case page
    /// The page between things from three stops above white to twelve below.
    case contrast
    /// The ``ColorChart`` on the desk.
    case chart
  }

  /// The things before the camera.
  package var subject: Subject
  /// The diopters by which the right half is nearer than the left one, as in a thick open book.
  package var depth: Double

  /// The diopters by which the lens is set nearer than the left half.
  var defocus = 0.0

  /// Makes a scene, by default of a flat page.
  package init(_ subject: Subject = .page, depth: Double = 0) {
    self.subject = subject
    self.depth = depth
  }

  /// The places of the subject `contrast`, left of the page, and their light.
  enum Contrast {
    static let lamp = SceneRectangle(left: -0.48, top: -0.40, right: -0.32, bottom: -0.24)
    static let lampLight: Float = 4
    static let filament = SceneRectangle(left: -0.43, top: -0.35, right: -0.37, bottom: -0.29)
    static let filamentLight: Float = 8
    /// A cover of dark leather, whose ribs have in turns 1.5 and 0.5 times its light.
    static let leather = SceneRectangle(left: -0.48, top: -0.15, right: -0.32, bottom: 0.40)
    static let leatherLight: Float = 1.0 / 4096
    static let ribCount = 8
    /// The bright reflection of the lamp on the leather.
    static let highlight = SceneRectangle(left: -0.41, top: 0.34, right: -0.39, bottom: 0.36)
  }

  /// The radius of a blurred point per diopter, as a part of the picture's longer side.
  ///
  /// A thin lens gives a disk of focal length times aperture for each diopter. The lens is that of
  /// a Camera Module 3: 4.74 mm at f/1.8 before 4608 pixels of 1.4 µm (Raspberry Pi's pages).
  static let blurPerDiopter = 4.74 * (4.74 / 1.8) / 1000 / 2 / (4608 * 0.0014)
}
