import Synchronization

/// The access policy as far as this machine knows the configured names.
package struct AccessLookup: Sendable, Hashable {
  /// The policy of the known names; an unknown name stands for no account.
  package var policy: AccessPolicy
  /// The reasons why names are not known, a sentence for each; empty when all are known.
  package var problems: [String]

  package init(policy: AccessPolicy, problems: [String] = []) {
    self.policy = policy
    self.problems = problems
  }
}

/// The policy in force, which is replaced when the machine knows more names.
final class CurrentAccessPolicy: Sendable {
  private let current: Mutex<AccessPolicy>

  init(_ policy: AccessPolicy) {
    current = Mutex(policy)
  }

  /// The policy now.
  var policy: AccessPolicy {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}
