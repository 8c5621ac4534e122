/// The options that a console has settled for all of its commands.
///
/// Whoever has a console and no shell must not have it show whatever file the account can read, and
/// not have it believe another program than the service.
enum SettledOptions {
  private static let names: Set<String> = ["--socket", "--config"]

  /// Why words are not run: the sentence that says so; `nil` when they may be.
  static func refusal(of words: [String]) -> String? {
    // What comes after "--" is no option.
    let options = words.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
    return options.first { names.contains($0) }.map {
      "\($0) is settled here: the console has its own service and configuration file."
    }
  }
}
