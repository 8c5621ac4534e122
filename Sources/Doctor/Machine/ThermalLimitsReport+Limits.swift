package import API
package import Capture

extension ThermalLimitsReport {
  /// Makes the report of a zone's limits.
  package init(_ limits: ThermalLimits) {
    self.init(
      fair: limits.fair, serious: limits.serious, critical: limits.critical,
      shutdown: limits.shutdown)
  }
}
