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

extension WebDAVConfiguration {
  /// The problem that prevents making a target of these settings; `nil` when there is none.
  package var problem: TargetProblem? {
    CollectionURL(url) == nil ? TargetProblem(part: .url, cause: TargetProblem.usableURL) : nil
  }
}

extension ProcessingConfiguration {
  /// The problem that prevents making a target of these settings; `nil` when there is none.
  package var problem: TargetProblem? {
    CollectionURL(url) == nil ? TargetProblem(part: .url, cause: TargetProblem.usableURL) : nil
  }
}

extension TusConfiguration {
  /// The problem that prevents making a target of these settings; `nil` when there is none.
  package var problem: TargetProblem? {
    guard let endpoint = OriginURL(url), !endpoint.target.contains("?") else {
      return TargetProblem(part: .url, cause: TargetProblem.usableURL)
    }
    return nil
  }
}

extension S3Configuration {
  /// The problem that prevents making a target of these settings; `nil` when there is none.
  package var problem: TargetProblem? {
    do {
      _ = try S3Location(checking: self)
      return nil
    } catch {
      return error
    }
  }
}
