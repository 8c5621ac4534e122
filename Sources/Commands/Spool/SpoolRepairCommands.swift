import API
import ArgumentParser
import Console
import Devices
import Foundation

/// `platenctl spool retry`.
struct SpoolRetryCommand: ConfirmedCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Let a picture that was set aside wait for delivery again.")

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The picture's ID.")
  var id: String?

  @Flag(help: "All pictures that were set aside.")
  var allParked = false

  @OptionGroup var confirmed: ConfirmationOptions

  var confirmation: Confirmation? {
    guard allParked else { return nil }
    return Confirmation("This sends all pictures that were set aside once more", word: .rig)
  }

  func validate() throws {
    guard (id == nil) == allParked else {
      throw ValidationError("Name one picture, or use --all-parked.")
    }
  }

  func run() async throws {
    try await connection.report { client in
      let report =
        if let id {
          try await client.call(Operations.retrySpoolItem, SpoolItemReference(id))
        } else {
          try await client.call(Operations.retryParked)
        }
      try connection.show(
        report, or: [report.retried.counted("delivery waits again", "deliveries wait again")])
    }
  }
}

/// `platenctl spool verify`.
struct SpoolVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Compare every file with its row; may take minutes.",
    discussion: "Exit status: 1 when something is left that is not as it should be.")

  @OptionGroup var connection: ConnectionOptions

  @Flag(help: "Repair what is found; nothing that has no receipt is ever deleted.")
  var repair = false

  func run() async throws {
    try await connection.report { client in
      let bar = ProgressReporter(
        "verifying", total: try await client.call(Operations.spoolVerificationProgress).bytes,
        unit: .bytes,
        on: connection.progressOutput)
      defer { bar.end() }
      let report = try await client.verifySpool(repair: repair) { bar.advance(to: $0.hashedBytes) }
      bar.end()
      try connection.show(report)
      guard report.isInOrder else { throw ExitCode(1) }
    }
  }
}

/// `platenctl spool delete`.
struct SpoolDeleteCommand: ConfirmedCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete what has no receipt; it is gone for good.")

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The picture's ID.")
  var id: String?

  @Flag(
    help:
      "All pictures of the quarantine: damaged, missing, or not readable. First \"spool verify --repair\" puts back what is intact."
  )
  var quarantined = false

  @Option(help: "The same ID once more, instead of a question; the console asks all the same.")
  var confirm: String?

  @OptionGroup var confirmed: ConfirmationOptions

  var confirmation: Confirmation? {
    if let id { return Confirmation("This deletes the picture \(id) for good", word: .item(id)) }
    return Confirmation("This deletes all pictures of the quarantine for good", word: .rig)
  }

  var isConfirmed: Bool { confirmed.yes || id != nil && confirm == id }

  func validate() throws {
    guard (id == nil) == quarantined else {
      throw ValidationError("Name one picture, or use --quarantined.")
    }
    if let confirm, confirm != id {
      throw ValidationError("--confirm says \"\(confirm)\" and not \"\(id ?? "--quarantined")\".")
    }
  }

  func run() async throws {
    try await connection.report { client in
      if let id {
        _ = try await client.call(Operations.deleteSpoolItem, SpoolItemDeletion(id))
        try connection.show(["deleted": id], or: ["deleted \(id)"])
      } else {
        let report = try await client.call(Operations.deleteQuarantined, QuarantineDeletion())
        try connection.show(report, or: ["deleted from the quarantine: \(report.deleted)"])
      }
    }
  }
}
