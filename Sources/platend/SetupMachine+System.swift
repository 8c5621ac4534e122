import Console
import Devices
import Foundation
import RigConfiguration

extension SetupMachine {
  /// The machine on which the program runs.
  static var system: SetupMachine {
    SetupMachine(
      isRoot: geteuid() == 0, isZone: isKnown, setZone: setTimeZone, encrypt: encrypted,
      defaultConfiguration: {
        await output(of: LocalProgram("/usr/share/platen/default-configuration", []))
          .map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
      })
  }

  /// Returns whether the database of time zones has a file with the name.
  private static func isKnown(_ zone: String) -> Bool {
    let characters = CharacterSet(charactersIn: "/_+-").union(.alphanumerics)
    var isDirectory = ObjCBool(false)
    return zone.unicodeScalars.allSatisfy(characters.contains)
      && FileManager.default.fileExists(
        atPath: "/usr/share/zoneinfo/" + zone, isDirectory: &isDirectory)
      && !isDirectory.boolValue
  }

  /// Sets the time zone through systemd, which lets technicians do it (polkit/50-platen.rules).
  private static func setTimeZone(_ zone: String) async -> String? {
    // The zone is the name of a file in the database, so it is no option and no other text.
    let program = LocalProgram(
      SystemClock.program, ["--no-ask-password", "set-timezone", zone])
    do throws(LocalProgram.Failure) {
      let outcome = try await program.run()
      if outcome.status == 0 { return nil }
      let cause = outcome.firstComplaint ?? "timedatectl failed"
      return "The time zone \"\(zone)\" was not set: \(cause)."
    } catch {
      return "The time zone \"\(zone)\" was not set: \(error.description)"
    }
  }

  /// Encrypts a secret where the unit can get it: under systemd 254, which knows `ImportCredential=`.
  private static func encrypted(_ name: String, _ secret: [UInt8]) async -> [UInt8]? {
    let program = "/usr/bin/systemd-creds"
    guard geteuid() == 0, FileManager.default.fileExists(atPath: "/run/systemd/system"),
      let version = await output(of: LocalProgram(program, ["--version"])),
      let number = String(decoding: version, as: UTF8.self).split(separator: " ").dropFirst().first,
      Int(number) ?? 0 >= 254
    else { return nil }
    return await output(
      of: LocalProgram(program, ["encrypt", "--name=\(name)", "-", "-"], input: secret))
  }

  /// Returns what a program prints; `nil` when it fails or prints nothing.
  private static func output(of program: LocalProgram) async -> [UInt8]? {
    guard let outcome = try? await program.run(), outcome.status == 0, !outcome.isCutOff,
      !outcome.output.isEmpty
    else { return nil }
    return outcome.output
  }
}
