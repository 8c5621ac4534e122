/// The section `ledger`: the presses and their outcomes, kept with the spool.
///
/// | key | value | default |
/// |---|---|---|
/// | `presses` | finished presses that are remembered, 100 to 1000000 | 20000 |
package struct LedgerSection: Sendable, Hashable {
  /// The number of finished presses to remember.
  package var presses = 20_000

  /// Makes the defaults.
  package init() {}

  init(_ section: ConfigurationMapping) {
    presses = section.integer("presses", in: 100...1_000_000) ?? presses
    section.refuseUnknownKeys()
  }
}
