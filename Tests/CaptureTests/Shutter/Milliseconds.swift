import Devices

/// Instants in milliseconds, as in the tables of the buttons' tests.
extension MonotonicInstant {
  init(milliseconds: Double) {
    self.init(nanoseconds: Int64((milliseconds * 1e6).rounded()))
  }

  var milliseconds: Double { Double(nanoseconds) / 1e6 }

  /// The milliseconds without a needless fraction.
  var text: String {
    let value = milliseconds
    return value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}
