import Glibc

/// The transfer curve of sRGB (IEC 61966-2-1), for light and codes from 0 to 1.
enum SRGBCurve {
  static func encoded(_ light: Double) -> Double {
    light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  static func decoded(_ code: Double) -> Double {
    code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
  }
}
