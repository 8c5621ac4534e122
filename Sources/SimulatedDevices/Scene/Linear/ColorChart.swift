package import Devices

/// The classic chart of 24 colors, on the desk of a ``LinearScene``.
///
/// The numbers are the maker's for charts made before November 2014 (X-Rite, "Colorimetric values
/// for ColorChecker family of targets"; D50, 2 degrees).
package enum ColorChart {
  /// A patch of the chart.
  package struct Patch: Sendable, Hashable {
    /// The maker's name of the color.
    package let name: String
    /// The numbers L\*, a\* and b\* in D50.
    package let lab: [Double]

    init(_ name: String, _ lab: Double...) {
      self.name = name
      self.lab = lab
    }

    /// Red, green and blue in linear light with the primaries and the white of sRGB.
    ///
    /// The matrix includes Bradford's adaptation from D50 to D65. Cyan has a negative red.
    var light: [Float] {
      func part(_ value: Double) -> Double {
        let cube = value * value * value
        return cube > 216.0 / 24389 ? cube : (116 * value - 16) * 27 / 24389
      }
      let y = (lab[0] + 16) / 116
      let x = 0.96422 * part(y + lab[1] / 500)
      let z = 0.82521 * part(y - lab[2] / 200)
      return [
        Float(3.1338561 * x - 1.6168667 * part(y) - 0.4906146 * z),
        Float(-0.9787684 * x + 1.9161415 * part(y) + 0.0334540 * z),
        Float(0.0719453 * x - 0.2289914 * part(y) + 1.4052427 * z),
      ]
    }
  }

  /// The patches, row by row from the top left, six in each row.
  package static let patches = [
    Patch("dark skin", 37.986, 13.555, 14.059), Patch("light skin", 65.711, 18.13, 17.81),
    Patch("blue sky", 49.927, -4.88, -21.925), Patch("foliage", 43.139, -13.095, 21.905),
    Patch("blue flower", 55.112, 8.844, -25.399), Patch("bluish green", 70.719, -33.397, -0.199),
    Patch("orange", 62.661, 36.067, 57.096), Patch("purplish blue", 40.02, 10.41, -45.964),
    Patch("moderate red", 51.124, 48.239, 16.248), Patch("purple", 30.325, 22.976, -21.587),
    Patch("yellow green", 72.532, -23.709, 57.255), Patch("orange yellow", 71.941, 19.363, 67.857),
    Patch("blue", 28.778, 14.179, -50.297), Patch("green", 55.261, -38.342, 31.37),
    Patch("red", 42.101, 53.378, 28.19), Patch("yellow", 81.733, 4.039, 79.819),
    Patch("magenta", 51.935, 49.986, -14.574), Patch("cyan", 51.038, -28.631, -28.638),
    Patch("white 9.5", 96.539, -0.425, 1.186), Patch("neutral 8", 81.257, -0.638, -0.335),
    Patch("neutral 6.5", 66.766, -0.734, -0.504), Patch("neutral 5", 50.867, -0.153, -0.27),
    Patch("neutral 3.5", 35.656, -0.421, -1.231), Patch("black 2", 20.461, -0.079, -0.973),
  ]

  /// The chart's dark frame, which fits into the picture in every turn.
  static let frame = SceneRectangle(left: -0.42, top: -0.28, right: 0.42, bottom: 0.28)

  /// Returns the place of a patch.
  static func place(of index: Int) -> SceneRectangle {
    let side = 0.14
    let rim = 0.01
    let left = frame.left + side * Double(index % 6)
    let top = frame.top + side * Double(index / 6)
    return SceneRectangle(
      left: left + rim, top: top + rim, right: left + side - rim, bottom: top + side - rim)
  }

  /// Returns the middle pixel of a patch in the picture of a turned camera.
  package static func center(
    of index: Int, size: FrameSize, turn: QuarterTurn = .none
  ) -> (x: Int, y: Int) {
    let place = PageSceneLayout(size: size).pixels(of: place(of: index), turn: turn)
    return ((place.left + place.right) / 2, (place.top + place.bottom) / 2)
  }
}
