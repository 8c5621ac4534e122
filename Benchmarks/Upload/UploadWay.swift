import Upload

/// A way of delivering pictures, as a row of the table.
struct UploadWay {
  var verification: Upload.Receipt.Verification
  var parallel: Int

  /// The ways that are measured.
  static let all = [
    UploadWay(verification: .statusOnly, parallel: 1),
    UploadWay(verification: .statusOnly, parallel: 2),
    UploadWay(verification: .readBack, parallel: 1),
    UploadWay(verification: .readBack, parallel: 2),
  ]

  /// The name of the row.
  var name: String {
    "hash, PUT, \(verification == .readBack ? "read back, " : "")MOVE, receipt; "
      + (parallel == 1 ? "one at a time" : "two at once")
  }

  /// The requests of a `curl` that does the same.
  var requests: [CurlPeer.Request] {
    verification == .readBack ? [.putHidden, .getHidden, .move] : [.putHidden, .move]
  }
}

/// The figures of a row, over all rounds.
struct UploadFigures {
  /// The times of single rounds, in seconds.
  var seconds: [Double] = []
  /// Those times divided by the mean of the times of `curl` before and after.
  var toPlain: [Double] = []
  /// The same for a `curl` with the same requests.
  var toSame: [Double] = []
  /// The bytes read from files; `nil` if unknown.
  var bytesRead: Double? = 0
  /// The connection of each request.
  var connections: [Substring] = []

  /// The cells of the row, without its name.
  ///
  /// - Parameters:
  ///   - pictures: the number in each round.
  ///   - bytes: the bytes of a picture.
  func cells(pictures: Int, bytes: Int) -> String {
    let delivered = Double(pictures * seconds.count)
    let milliseconds = seconds.map { 1000 * $0 / Double(pictures) }
    let counts =
      connections.isEmpty
      ? ["", ""]
      : [
        (Double(connections.count) / delivered).twoDecimals,
        (Double(Set(connections).count) / Double(seconds.count)).twoDecimals,
      ]
    let readings = bytesRead.map { ($0 / delivered / Double(bytes)).twoDecimals } ?? ""
    return ([spread(milliseconds), spread(toPlain), spread(toSame)] + counts + [readings])
      .joined(separator: " | ")
  }

  /// The median of values, and their range where there are several.
  private func spread(_ values: [Double]) -> String {
    guard let least = values.min(), let most = values.max(), values.count > 1 else {
      return values.median.twoDecimals
    }
    return "\(values.median.twoDecimals) (\(least.twoDecimals) to \(most.twoDecimals))"
  }
}
