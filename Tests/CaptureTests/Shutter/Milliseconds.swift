import Devices

/// Instants in milliseconds, as the tables of the buttons' tests have them.
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
