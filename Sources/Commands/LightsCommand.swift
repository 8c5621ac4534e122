import API
import ArgumentParser
import Console

/// `platenctl lights`.
struct LightsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lights",
    abstract: "Show what each light can show and what it means; needs no service.",
    discussion: "What the lights of a running rig show now is in \"platenctl status\".")

  @OptionGroup var form: FormOptions

  func run() throws {
    guard form.json else { return Terminal.show(LightTable()) }
    try Terminal.show(json: LightTable().rows)
  }
}
