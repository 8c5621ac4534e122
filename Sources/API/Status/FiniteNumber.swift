/// Returns a number that JSON can carry; `nil` for one that is not finite.
///
/// Reports take measured values through this function, so that a sensor's NaN cannot make a whole
/// answer impossible to encode.
func finite(_ value: Double?) -> Double? {
  guard let value, value.isFinite else { return nil }
  return value
}
