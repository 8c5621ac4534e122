extension Operations {
  /// The sign-in of a browser.
  package static let signIn = Operation(
    id: "signIn", method: .post, path: "/v1/sign-in", permission: nil,
    summary: "Exchanges a token for the cookie of a session; only over TCP.",
    failures: [.unsupported],
    body: BodyDescription(type: SignInRequest.self, isRequired: true), answer: .empty,
    statuses: [204])

  /// The caller's own name and permissions.
  package static let signedIn = Endpoint<NoInput, SignInReport>(
    "signedIn", .get, "/v1/sign-in", .read, "Returns the caller's name and permissions.")

  /// The end of a browser's session.
  package static let signOut = Operation(
    id: "signOut", method: .post, path: "/v1/sign-out", permission: nil,
    summary: "Ends the session of the cookie, if there is one, and removes the cookie.",
    body: NoInput.body, answer: .empty, statuses: [204])
}
