public import API
import Foundation
import Spool

/// Copies the pictures out of the spool's directory while no service runs: for `platend --export`.
public struct LocalExport: Sendable {
  private let path: String

  /// Copies from the spool that a configuration file names; nothing in it is changed.
  public init(configurationPath: String) { path = configurationPath }

  /// Copies every picture to another directory.
  ///
  /// - Parameters:
  ///   - directory: the other directory, which has to exist.
  ///   - note: called for each picture.
  /// - Returns: how many came to what.
  /// - Throws: ``API/APIError``, code ``API/APIError/Code/unavailable``, when the configuration or
  ///   one of the directories cannot be used, and what `note` throws.
  public func copyAll(
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
  /// What the salvage says of a picture.
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
