/// The options that a console has settled for all of its commands.
///
/// A person with a console and no shell must not be able to show every file that the account can
/// read. Nor must the person be able to replace the service by another program.
enum SettledOptions {
  private static let names: Set<String> = ["--socket", "--config"]

  /// Returns the sentence that refuses words; `nil` when the words may run.
  static func refusal(of words: [String]) -> String? {
    // The words after "--" are no options.
    let options = words.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
    return options.first { names.contains($0) }.map {
      "\($0) is settled here: the console has its own service and configuration file."
    }
  }
}
