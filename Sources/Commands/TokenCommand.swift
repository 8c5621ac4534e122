import API
import ArgumentParser

/// `platenctl token`.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Make a token for the API over the network; needs no service.",
    discussion: """
      Prints the token, which is for the client and is kept nowhere, and its hash, which is for the \
      configuration: api: { tcp: { tokens: { NAME: { hash: HASH, allow: read } } } }
      """)

  @OptionGroup var form: FormOptions

  private struct Report: Encodable {
    let token: String
    let hash: String
  }

  func run() throws {
    let (token, hash) = AccessToken.make()
    guard form.json else { return Terminal.show(["token  \(token)", "hash   \(hash)"]) }
    try Terminal.show(json: [Report(token: token, hash: hash)])
  }
}
