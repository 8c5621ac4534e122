/// The section `ledger`: every press and what became of it, kept with the spool.
///
/// | key | value | default |
/// |---|---|---|
/// | `presses` | finished presses that are remembered, 100 to 1000000 | 20000 |
public struct LedgerSection: Sendable, Hashable {
  /// Finished presses that are remembered.
  public var presses = 20_000

  /// The defaults.
  public init() {}

  init(_ section: ConfigurationMapping) {
    presses = section.integer("presses", in: 100...1_000_000) ?? presses
    section.refuseUnknownKeys()
  }
}
