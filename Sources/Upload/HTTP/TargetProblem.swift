/// A problem in a target's configuration that shows without connecting.
package struct TargetProblem: Error, Hashable, Sendable {
  /// The part of the configuration that has the problem.
  package enum Part: String, Sendable, Hashable {
    /// The URL, or the endpoint's URL.
    case url
    /// The bucket of S3.
    case bucket
    /// The prefix of all S3 keys.
    case prefix
  }

  /// The part of the configuration that has the problem.
  package let part: Part
  /// The expected value or the reason, without the configured value.
  package let cause: String

  /// The expectation for a URL without secrets.
  static let usableURL =
    "expected http or https, a host, and no user, password, query or fragment"
}
