import API
import ArgumentParser
import Console
import Foundation

/// `platenctl support-bundle`.
struct SupportBundleCommand: AsyncParsableCommand, ManneredCommand {
  static let configuration = CommandConfiguration(
    commandName: "support-bundle",
    abstract: "Collect everything for remote support, without secrets and pictures.",
    discussion: """
      A tar archive, compressed with gzip: status, doctor, network, time, configuration with its \
      history, log, audit log, presses, spool, metrics, versions, kernel log and journal. What looks \
      like a secret is replaced by \(Redaction.mark). What could not be had is named in manifest.json, \
      with the reason; also without the service there is a bundle.

      Without an option it is written to the current directory. --zmodem and --base64 send it over \
      the terminal: to a program that receives ZMODEM, or as text to be recorded.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Option(
    help: "The file to write, or a directory for it; what is there already is left alone.")
  var output: String?

  @Flag(help: "Send it over the terminal by ZMODEM; needs the package lrzsz.")
  var zmodem = false

  @Flag(help: "Send it as text: Base64 in lines of 76, with a checksum at the end.")
  var base64 = false

  @Option(help: "The configuration file, for a bundle without the service.")
  var config = LocalService.configurationPath

  /// The manner; text that is to be recorded is shown whole and without paging.
  var manner: CommandManner { base64 ? .reports : .works }

  func validate() throws {
    guard (output == nil ? 0 : 1) + (zmodem ? 1 : 0) + (base64 ? 1 : 0) <= 1 else {
      throw ValidationError("Use one of --output, --zmodem and --base64.")
    }
    if connection.json, zmodem || base64 {
      throw ValidationError("A program gets a file only; --zmodem and --base64 are for a terminal.")
    }
  }

  func run() async throws {
    do {
      // An archive that cannot be sent need not be collected.
      let line = try zmodem ? line() : nil
      let bundle = try await collect()
      let archive = try await SupportArchive(bundle)
      if let line {
        try await line.transfer.send(archive.path, over: line.terminal)
        Terminal.show(["\(archive.name) sent, SHA-256 \(archive.sha256)"])
      } else if base64 {
        try await show(archive)
      } else {
        let path = try archive.copy(to: output ?? archive.name)
        try connection.show(
          SupportReport(
            bundle.manifest, path: path, bytes: archive.bytes, sha256: archive.sha256))
      }
    } catch let failure as ZmodemTransfer.Failure {
      Terminal.complain(failure.description)
      throw ExitCode(1)
    } catch let failure as SupportArchive.Failure {
      Terminal.complain(failure.description)
      throw ExitCode(1)
    }
  }

  private func collect() async throws -> SupportBundle {
    let progress = ProgressReporter(
      "collecting", total: nil, unit: .items("parts"), on: connection.progressOutput)
    defer { progress.end() }
    return try await SupportBundle.collect(from: connection.client, configuration: config) {
      number, _, _ in progress.advance(to: Int64(number))
    }
  }

  /// Returns the terminal and the program that sends over the terminal.
  private func line() throws -> (terminal: any LentTerminal, transfer: ZmodemTransfer) {
    let transfer = try ZmodemTransfer()
    guard let terminal = Terminal.output.terminal else {
      throw ZmodemTransfer.Failure.withoutTerminal
    }
    return (terminal, transfer)
  }

  private func show(_ archive: SupportArchive) async throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: archive.path))
    // On a terminal the text itself shows the progress.
    let isSeen = Terminal.output.terminal != nil
    let progress = ProgressReporter(
      "sending", total: archive.bytes, unit: .bytes,
      on: isSeen ? SilentOutput(width: Terminal.width) : Terminal.output)
    defer { progress.end() }
    Terminal.show(Base64Text.heading(name: archive.name, bytes: archive.bytes))
    var sent: Int64 = 0
    for lines in Base64Text.pieces(of: data) {
      try Task.checkCancellation()
      Terminal.show(lines)
      // A slow line takes minutes for the whole text.
      await Terminal.output.untilShown()
      sent += Int64(lines.reduce(0) { $0 + $1.utf8.count } / 4 * 3)
      progress.advance(to: sent)
    }
    Terminal.show(Base64Text.ending(sha256: archive.sha256))
  }
}
