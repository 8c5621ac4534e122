import Commands

/// The start of the program `platenctl`.
@main enum Program {
  static func main() async {
    await CommandProgram.main(CommandLine.arguments)
  }
}
