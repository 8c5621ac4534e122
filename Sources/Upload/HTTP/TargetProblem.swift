/// Why a target's configuration cannot be used, as far as that shows without connecting.
public struct TargetProblem: Error, Hashable, Sendable {
  /// What cannot be used.
  public enum Part: String, Sendable, Hashable {
    /// The URL, or the endpoint's.
    case url
    /// The bucket of S3.
    case bucket
    /// What all keys of S3 begin with.
    case prefix
  }

  /// What cannot be used.
  public let part: Part
  /// What was expected instead, or why it cannot be; without the value.
  public let cause: String

  /// What a URL without anything secret is.
  static let usableURL =
    "expected http or https, a host, and no user, password, query or fragment"
}

extension WebDAVConfiguration {
  /// Why a target cannot be made of this; `nil` when it can.
  public var problem: TargetProblem? {
    CollectionURL(url) == nil ? TargetProblem(part: .url, cause: TargetProblem.usableURL) : nil
  }
}

extension ProcessingConfiguration {
  /// Why a target cannot be made of this; `nil` when it can.
  public var problem: TargetProblem? {
    CollectionURL(url) == nil ? TargetProblem(part: .url, cause: TargetProblem.usableURL) : nil
  }
}

extension TusConfiguration {
  /// Why a target cannot be made of this; `nil` when it can.
  public var problem: TargetProblem? {
    guard let endpoint = OriginURL(url), !endpoint.target.contains("?") else {
      return TargetProblem(part: .url, cause: TargetProblem.usableURL)
    }
    return nil
  }
}

extension S3Configuration {
  /// Why a target cannot be made of this; `nil` when it can.
  public var problem: TargetProblem? {
    do {
      _ = try S3Location(checking: self)
      return nil
    } catch {
      return error
    }
  }
}
