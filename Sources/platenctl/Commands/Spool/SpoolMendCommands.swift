import API
import ArgumentParser
import Console
import Foundation

/// `platenctl spool retry`.
struct SpoolRetryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Let a picture that was set aside wait for delivery again.")

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The picture's ID.")
  var id: String?

  @Flag(help: "All pictures that were set aside.")
  var allParked = false

  func validate() throws {
    guard (id == nil) == allParked else {
      throw ValidationError("Name one picture, or use --all-parked.")
    }
  }

  func run() async throws {
    try await connection.report { client in
      let report =
        if let id {
          try await client.retrySpoolItem(id: id)
        } else {
          try await client.retryParkedSpoolItems()
        }
      try connection.show(report, or: ["\(report.retried) deliveries wait again"])
    }
  }
}

/// `platenctl spool verify`.
struct SpoolVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Compare every file with its row; may take minutes.",
    discussion: "Exit status: 1 when something is not as it should be and was not repaired.")

  @OptionGroup var connection: ConnectionOptions

  @Flag(help: "Repair what is found; nothing is ever deleted.")
  var repair = false

  func run() async throws {
    try await connection.report { client in
      let report = try await client.verifySpool(repair: repair)
      try connection.show(report, or: SpoolView(width: Terminal.width).lines(report))
      guard report.findings.isEmpty || report.isRepaired else { throw ExitCode(1) }
    }
  }
}

/// `platenctl spool delete ID`.
struct SpoolDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a picture that has no receipt; it is gone for good.")

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The picture's ID.")
  var id: String

  @Option(help: "The same ID once more, so that no slip of the hand deletes a picture.")
  var confirm: String

  func validate() throws {
    guard confirm == id else {
      throw ValidationError("--confirm says \"\(confirm)\" and not \"\(id)\".")
    }
  }

  func run() async throws {
    try await connection.report { client in
      try await client.deleteSpoolItem(id: id)
      try connection.show(["deleted": id], or: ["deleted \(id)"])
    }
  }
}

/// `platenctl spool export DIR`.
struct SpoolExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copy all pictures that have a file to a directory, each compared with its SHA-256.",
    discussion: "They stay in the spool. What is in the directory already is left alone.")

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The directory; it must exist.")
  var directory: String

  func run() async throws {
    try await connection.report { client in
      let export = SpoolExport(client, to: directory)
      var copied = 0
      var present = 0
      for state in ["parked", "delivering", "stored"] {
        var before: String?
        repeat {
          let list = try await client.spoolItems(state: state, limit: 100, before: before)
          for item in list.items {
            switch try await copy(item, export) {
            case .copied: copied += 1
            case .present: present += 1
            case .withoutFile: break
            }
          }
          before = list.next
        } while before != nil
      }
      try connection.show(
        ["copied": copied, "present": present],
        or: ["\(copied) pictures copied, \(present) were there already"])
    }
  }

  private func copy(
    _ item: SpoolItemReport, _ export: SpoolExport
  ) async throws -> SpoolExport.Outcome {
    do {
      return try await export.copy(item)
    } catch let failure as SpoolExport.Failure {
      Terminal.complain(failure.description)
      throw ExitCode(1)
    } catch RigClientError.refused(let error) where error.code == .notFound {
      // It was delivered while we were on our way to it.
      return .withoutFile(state: "delivered")
    }
  }
}
