import API
import Devices
import Foundation
import Settings

/// The setup of a rig: a file of the boot partition, or a technician's answers, become settings.
///
/// Everything is checked first. The configuration changes last and as a whole, so that a power cut
/// leaves the old one or the new one.
package struct Setup: Sendable {
  /// The name of a setup file on the boot partition.
  package static let fileName = "platen-setup.yaml"

  private let store: ConfigurationStore
  private let secrets: SecretStore
  let record: SetupRecord
  /// The text without secrets for a file in which they could not be erased.
  private let erased: DurableFile
  private let machine: SetupMachine

  /// Makes the setup of a rig with a configuration file.
  package init(configurationPath: String, machine: SetupMachine) {
    store = ConfigurationStore(path: configurationPath)
    let url = URL(fileURLWithPath: store.path)
    let directory = url.deletingLastPathComponent().path
    secrets = SecretStore(directory: directory, machine: machine)
    record = SetupRecord(directory: directory, name: url.lastPathComponent)
    erased = DurableFile(directory: directory, name: url.lastPathComponent + ".setup-erased")
    self.machine = machine
  }

  /// Applies a file that describes a rig, over the configuration of this model of board.
  ///
  /// A file that was applied already changes nothing. Afterwards the file has no secrets, and
  /// beside a file with ``fileName`` a text tells the result.
  package func apply(file path: String) async -> SetupOutcome {
    // Secrets are erased in the file itself, and not in a link to it.
    let file = DurableFile(at: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    let outcome: SetupOutcome
    do throws(DeviceError) {
      guard let bytes = try file.read() else {
        return SetupOutcome(.failed, ["\"\(file.path)\" cannot be read: it is not there."])
      }
      if try record.knows(bytes, at: file.path) {
        guard let text = try textToPut(in: file), text != bytes else {
          return SetupOutcome(
            .applied, ["\"\(file.path)\" was applied before. Nothing was changed."])
        }
        outcome = erase(bytes, by: text, in: file)
      } else {
        outcome = await apply(bytes, of: file)
      }
    } catch {
      outcome = SetupOutcome(.failed, ["\(error).", "Nothing was changed."])
    }
    tell(outcome, beside: file)
    return outcome
  }

  /// Applies a technician's answers over the present configuration.
  ///
  /// - Parameter bytes: the answers in the form of a setup file.
  package func apply(answers bytes: [UInt8]) async -> SetupOutcome {
    let (stored, board) = await bases()
    let present = stored ?? board ?? .minimal
    do throws(Refusal) {
      let applied = try await apply(bytes, named: "the answers", over: present, present: present)
      return SetupOutcome(.applied, applied.lines)
    } catch {
      return SetupOutcome(error.kind, error.lines)
    }
  }

  private func apply(_ bytes: [UInt8], of file: DurableFile) async -> SetupOutcome {
    // The text belongs to another file's content, and names its secrets.
    try? erased.remove()
    let (stored, board) = await bases()
    // An administrator has determined who may use the rig, for example over the serial line. Where
    // YAML cannot say that beside the board's settings, the stored ones stay.
    let base = stored.map { board?.taking("api", of: $0) ?? $0 } ?? board ?? .minimal
    do throws(Refusal) {
      let applied = try await apply(
        bytes, named: file.path, over: base, present: stored ?? board ?? .minimal)
      // A power cut may follow, and a file that was noted is not told again.
      tell(SetupOutcome(.applied, applied.lines), beside: file)
      return SetupOutcome(.applied, applied.lines + settle(applied, file, bytes))
    } catch {
      return SetupOutcome(error.kind, error.lines)
    }
  }

  // MARK: the steps

  private struct Refusal: Error {
    let kind: SetupOutcome.Kind
    let lines: [String]
  }

  private struct Applied {
    let document: SetupDocument
    let places: [String: String]
    let lines: [String]

    func place(of secret: SetupSecret) -> String { places[secret.name] ?? "" }
  }

  /// Checks a text and applies it: time zone, secrets, configuration.
  ///
  /// - Parameter present: the configuration whose reserved keys stay without root.
  private func apply(
    _ bytes: [UInt8], named name: String, over base: SetupBase, present: SetupBase
  ) async throws(Refusal) -> Applied {
    guard let written = WrittenText.text(of: bytes) else {
      throw Refusal(kind: .refused, lines: ["\"\(name)\" is neither UTF-8 nor UTF-16."])
    }
    let document: SetupDocument
    do throws(ConfigurationErrors) {
      document = try SetupDocument(written, file: name, over: base, isZone: machine.isZone)
    } catch {
      throw Refusal(
        kind: .refused, lines: error.issues.map(\.description) + ["Nothing was changed."])
    }
    guard let text = document.configurationText({ "credential:\($0.name)" }) else {
      throw Self.unsayable
    }
    try await refuseWhoMayNot(document, from: present, to: text)
    try refuseLinks()
    let lock: SetupLock
    do throws(DeviceError) { lock = try SetupLock(directory: secrets.directory) } catch {
      throw Refusal(kind: .failed, lines: ["\(error).", "Nothing was changed."])
    }
    defer { lock.end() }
    var lines: [String] = []
    if let zone = document.timeZone {
      if let problem = await machine.setZone(zone) {
        throw Refusal(kind: .failed, lines: [problem, "Nothing was changed."])
      }
      lines.append("The time zone is \(zone).")
    }
    // At the end the configuration and its history name all secrets that are in use.
    defer { secrets.removeUnnamed() }
    var places: [String: String] = [:]
    do throws(DeviceError) {
      for secret in document.secrets {
        let place = try await secrets.keep(secret)
        places[secret.name] = place
        lines.append("The secret \"\(secret.path.joined(separator: "."))\" is \"\(place)\".")
      }
    } catch {
      throw Refusal(kind: .failed, lines: ["\(error).", "The configuration was not changed."])
    }
    let applied = Applied(
      document: document, places: places,
      lines: ["\"\(name)\" was applied to \"\(store.path)\"."] + lines)
    try await write(applied)
    return applied
  }

  private func write(_ applied: Applied) async throws(Refusal) {
    guard let text = applied.document.configurationText(applied.place(of:)) else {
      throw Self.unsayable
    }
    do throws(APIError) {
      _ = try await ConfigurationFile(store: store, running: nil).replaceConfiguration(by: text)
    } catch {
      throw Refusal(kind: .failed, lines: [error.message])
    }
  }

  private static let unsayable = Refusal(
    kind: .refused,
    lines: ["The setup has a text that YAML cannot keep on one line.", "Nothing was changed."])

  /// Refuses a caller without root who may not act, or who would change what only root may set.
  private func refuseWhoMayNot(
    _ document: SetupDocument, from present: SetupBase, to new: String
  ) async throws(Refusal) {
    guard !machine.isRoot else { return }
    do throws(APIError) {
      try await LocalConfiguration(path: store.path).refuseWhoMayNotAct()
    } catch {
      throw Refusal(kind: .failed, lines: [error.message])
    }
    guard
      let key = ReservedKeys.firstChange(
        from: present.text, to: new, except: Set(document.secrets.map(\.path)))
    else { return }
    throw Refusal(
      kind: .failed,
      lines: [
        "\"\(key)\" \(ReservedKeys.problem).",
        "Nothing was changed. Run this with root: \"sudo platenctl setup\".",
      ])
  }

  /// Refuses links that another account may have made, when root is to write.
  private func refuseLinks() throws(Refusal) {
    do throws(DeviceError) {
      try store.refuseLinks()
      try SharedDirectory.refuseLink(record.path)
      try SharedDirectory.refuseLink(secrets.files)
    } catch {
      throw Refusal(kind: .failed, lines: ["\(error).", "Nothing was changed."])
    }
  }

  /// Erases the secrets from a file that was applied, and notes the file.
  ///
  /// The text without secrets is noted first. So a power cut leaves either a file that is known, or
  /// the whole file, which is applied and erased once more.
  private func settle(_ applied: Applied, _ file: DurableFile, _ bytes: [UInt8]) -> [String] {
    guard !applied.document.secrets.isEmpty else { return note([bytes], of: file) }
    let erased = Array(applied.document.textWithoutSecrets(applied.place(of:)).utf8)
    let lines = note([erased], of: file)
    do throws(DeviceError) {
      try file.replace(erased, like: file.path)
      return lines
    } catch {
      // The file may be the old one or the new one.
      let owner = FileOwner(of: self.erased.directory)?.with(0o660)
      let isKept = (try? self.erased.replace(erased, owner: owner)) != nil
      return [Self.remaining(error, isKept ? "The next start tries again" : "Erase them there")]
        + note([erased, bytes], of: file)
    }
  }

  /// Returns the text that an earlier start could not put in a file's place; `nil` for none.
  private func textToPut(in file: DurableFile) throws(DeviceError) -> [UInt8]? {
    guard let text = try erased.read(followsLink: false),
      try record.knows(text, at: file.path)
    else { return nil }
    return text
  }

  /// Erases the secrets that an earlier start could not erase.
  private func erase(
    _ bytes: [UInt8], by text: [UInt8], in file: DurableFile
  ) -> SetupOutcome {
    let lines = ["\"\(file.path)\" was applied before."]
    do throws(DeviceError) {
      let picture = Self.picture(of: file)
      if try record.knows(bytes, at: picture) { try record.note([bytes, text], at: picture) }
      try file.replace(text, like: file.path)
    } catch {
      return SetupOutcome(.failed, lines + [Self.remaining(error, "The next start tries again")])
    }
    try? erased.remove()
    return SetupOutcome(.applied, lines + ["Its secrets are erased now."])
  }

  private static func remaining(_ error: DeviceError, _ next: String) -> String {
    "The secrets are still in the file. \(next): \(error)."
  }

  private func note(_ contents: [[UInt8]], of file: DurableFile) -> [String] {
    do throws(DeviceError) {
      try record.note(contents, at: file.path)
      return []
    } catch {
      return ["The file will be applied again at the next start: \(error)."]
    }
  }

  /// Writes the result beside a file of the boot partition, for a person who reads the card.
  ///
  /// - Parameter heading: the line after whose first lines the result goes; `nil` for all lines.
  func tell(
    _ outcome: SetupOutcome, after heading: String? = nil, beside file: DurableFile
  ) {
    guard file.name == Self.fileName else { return }
    let name = file.name.prefix { $0 != "." } + ".txt"
    let report = DurableFile(directory: file.directory, name: String(name))
    let present = try? report.read()
    var lines = outcome.lines
    if let heading {
      let earlier = String(decoding: present ?? [], as: UTF8.self).split(separator: "\n")
      lines = Array(earlier.map(String.init).prefix { $0 != heading }) + [heading] + lines
    }
    let text = Array(lines.map { $0 + "\n" }.joined().utf8)
    // A card wears out by writing, and the same fault may be met at each start.
    if present != text { try? report.replace(text) }
  }

  /// The text of the configuration file, or else the last good one; `nil` without a usable text.
  private func storedText() async -> String? {
    let text = (try? await store.textOrNothing()) ?? ""
    let good = await store.entries().first(where: { $0.number == 0 })?.text ?? ""
    return [text, good].first { store.issues(in: $0).isEmpty }
  }

  /// Returns the present configuration and that of the board, as far as they can be used.
  private func bases() async -> (stored: SetupBase?, board: SetupBase?) {
    let stored = await storedText().flatMap { SetupBase($0) }
    guard let path = await machine.defaultConfiguration(),
      let bytes = try? DurableFile(at: path).read(), let text = WrittenText.text(of: bytes)
    else { return (stored, nil) }
    return (stored, SetupBase(text))
  }
}

extension DurableFile {
  /// Takes the file at a path.
  init(at path: String) {
    let url = URL(fileURLWithPath: path)
    self.init(directory: url.deletingLastPathComponent().path, name: url.lastPathComponent)
  }
}
