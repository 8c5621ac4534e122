package import API
import Foundation
import RigConfiguration
import Spool

/// A copier of the pictures in the spool's directory without the service: `platend --export`.
package struct LocalExport: Sendable {
  private let path: String

  /// Makes a copier for the spool that a configuration file names; the spool is not changed.
  package init(configurationPath: String) { path = configurationPath }

  /// Copies every picture to another directory.
  ///
  /// - Parameters:
  ///   - directory: the other directory, which has to exist.
  ///   - note: the function that is called for each picture.
  /// - Returns: the number of pictures for each outcome.
  /// - Throws: ``API/APIError``, code ``API/APIError/Code/unavailable``, when the configuration or
  ///   one of the directories cannot be used; the error of `note`.
  package func copyAll(
    to directory: String, note: (SpoolCopyReport) throws -> Void
  ) throws -> SpoolCopySummary {
    let configuration = try PlatenConfiguration.usable(at: path)
    // A drive may be reached by a link, which the spool itself never follows.
    let target = URL(fileURLWithPath: directory).resolvingSymlinksInPath().path
    var summary = SpoolCopySummary()
    do {
      try SpoolSalvage(directory: configuration.spool.directory).copyAll(to: target) { copy in
        let report = SpoolCopyReport(copy)
        summary.count(report.outcome)
        try note(report)
      }
    } catch let error as SpoolError {
      throw APIError(.unavailable, "The pictures cannot be copied: \(error).")
    }
    return summary
  }
}

extension SpoolCopyReport {
  /// Makes the report of a picture that the salvage has copied.
  init(_ copy: SpoolSalvage.Copy) {
    var problem: String?
    let outcome: Outcome =
      switch copy.outcome {
      case .copied: .copied
      case .unchecked: .unchecked
      case .doubtful: .doubtful
      case .present: .present
      case .failed: .failed
      }
    switch copy.outcome {
    case .failed(let clause), .doubtful(let clause): problem = clause
    case .copied, .unchecked, .present: break
    }
    self.init(picture: copy.name, outcome: outcome, bytes: copy.bytes, problem: problem)
  }
}
