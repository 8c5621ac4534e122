import Devices
import Foundation

/// The end of a setup from the boot partition: an examination and a first picture.
extension Setup {
  /// The name under which the record has the files with which a first picture was taken.
  static func picture(of file: DurableFile) -> String { file.path + " (first picture)" }

  /// Takes a first picture with a file that was applied, unless one was stored before.
  ///
  /// Beside a file with ``fileName`` the text of its result then tells of that, too. Without a stored
  /// picture, the next call tries again.
  ///
  /// - Parameter take: examines the rig and takes the picture; the outcome is `applied` when the
  ///   picture is stored.
  package func finish(
    file path: String, _ take: () async -> SetupOutcome
  ) async -> SetupOutcome {
    let file = DurableFile(at: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    let picture = Self.picture(of: file)
    do throws(DeviceError) {
      guard let bytes = try file.read(), try record.knows(bytes, at: file.path) else {
        return SetupOutcome(
          .applied, ["No picture was taken, because \"\(file.path)\" was not applied."])
      }
      guard try !record.knows(bytes, at: picture) else {
        return SetupOutcome(.applied, ["The first picture was taken before."])
      }
      let outcome = await take()
      tell(outcome, after: "The first start with it:", beside: file)
      if outcome.kind == .applied { try record.note([bytes], at: picture) }
      return outcome
    } catch {
      return SetupOutcome(.failed, ["\(error)."])
    }
  }
}
