import Hummingbird

/// The cookie by which a browser shows its sign-in.
enum SignInCookie {
  /// The cookie's name.
  static let name = "platen-session"
  /// The most cookies of this name that are looked at.
  private static let maximumCount = 4

  /// Returns the values of the cookie in a request.
  ///
  /// A page at another port can set a cookie of the same name, so there may be several.
  static func values(in request: Request) -> [String] {
    let values = request.headers[values: .cookie].flatMap { header in
      header.split(separator: ";").compactMap { pair -> String? in
        let pair = pair.drop { $0 == " " }
        return pair.hasPrefix(name + "=") ? String(pair.dropFirst(name.count + 1)) : nil
      }
    }
    return Array(values.prefix(maximumCount))
  }

  /// Returns the header that sets the cookie.
  ///
  /// - Parameters:
  ///   - secret: the session's secret; `nil` removes the cookie.
  ///   - isSecure: whether the browser may send the cookie over TLS only.
  static func header(_ secret: String?, isSecure: Bool) -> String {
    let seconds = secret == nil ? 0 : SignInSessions.lifetime.components.seconds
    return "\(name)=\(secret ?? ""); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }
}
