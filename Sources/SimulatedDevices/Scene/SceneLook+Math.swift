#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension SceneLook {
  static func log2(_ factor: Double) -> Double {
    #if canImport(Glibc)
      Glibc.log2(max(factor, 1e-9))
    #else
      Darwin.log2(max(factor, 1e-9))
    #endif
  }

  static func exp2(_ exponent: Double) -> Double {
    #if canImport(Glibc)
      Glibc.exp2(exponent)
    #else
      Darwin.exp2(exponent)
    #endif
  }
}
