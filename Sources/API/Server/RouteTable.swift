import Hummingbird

/// The methods of each path of the API, to tell a wrong method from a wrong path.
struct RouteTable: Sendable {
  private var methods: [(path: [Substring], allowed: [String])] = []

  /// Adds a method of a path, in which `{name}` stands for any one part.
  mutating func add(_ method: HTTPRequest.Method, _ path: String) {
    let parts = Self.parts(of: path)
    if let index = methods.firstIndex(where: { $0.path == parts }) {
      methods[index].allowed.append(method.rawValue)
    } else {
      methods.append((parts, [method.rawValue]))
    }
  }

  /// Returns the methods of a request's path; empty when there is no such path.
  func allowedMethods(of path: String) -> [String] {
    let parts = Self.parts(of: path)
    return methods.first { candidate in
      candidate.path.count == parts.count
        && zip(candidate.path, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }?.allowed ?? []
  }

  private static func parts(of path: String) -> [Substring] {
    path.split(separator: "/")
  }
}
