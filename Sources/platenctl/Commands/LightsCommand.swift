import API
import ArgumentParser
import Console

/// `platenctl lights`.
struct LightsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lights",
    abstract: "Show what each light can show and what it means; needs no service.",
    discussion: "What the lights of a running rig show now is in \"platenctl status\".")

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  func run() throws {
    guard json else { return Terminal.show(LightTableView(width: Terminal.width).lines) }
    Terminal.show(
      try LightTableView.rows.map { String(decoding: try APICoding.encode($0), as: UTF8.self) })
  }
}
