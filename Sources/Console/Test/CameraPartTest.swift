import API
import Digests
import Synchronization

/// A test of whether a press gives a picture, from the press to the file on the disk.
package struct CameraPartTest: PartTest {
  /// The part, see ``PartTest``.
  package let part = TestPart.camera

  package init() {}

  /// Runs the test, see ``PartTest``.
  package func run(
    _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    guide.say("A picture is taken now; it is stored and uploaded as any other.")
    return [try await take(client, guide).result]
  }

  /// Takes a picture.
  ///
  /// - Returns: the result, and the picture's ID in the spool if it was stored.
  func take(
    _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> (result: TestResult, itemID: String?) {
    try await guide.wait("taking a picture") { () throws(RigClientError) in
      try await take(client)
    }
  }

  private func take(
    _ client: RigClient
  ) async throws(RigClientError) -> (result: TestResult, itemID: String?) {
    let readiness = try await client.status().readiness
    let taken = try await client.call(Operations.shoot, PressSettings())
    guard taken.outcome == .stored else {
      let reason = taken.reason ?? readiness.reasons.first?.rawValue ?? "unknown"
      return (
        TestResult(
          .camera, .failed, seen: ["press \(taken.number) was refused: \(reason)"], code: reason),
        nil
      )
    }
    let press = try await client.call(Operations.press, PressNumber(taken.number))
    var result = TestResult(.camera, .passed, seen: Self.seen(taken))
    let figures: [String: Double?] = [
      "press": Double(taken.number), "bytes": taken.bytes.map(Double.init),
      "selectionErrorMilliseconds": taken.selectionErrorMilliseconds,
      "frameIntervalMilliseconds": taken.frameIntervalMilliseconds,
      "pressToFrameMilliseconds": taken.pressToFrameMilliseconds,
      "pressToStoredMilliseconds": taken.pressToStoredMilliseconds,
    ]
    result.figures = figures.compactMapValues(\.self)
    if let error = taken.selectionErrorMilliseconds,
      let interval = taken.frameIntervalMilliseconds, abs(error) > interval
    {
      result.verdict = .failed
      result.seen.append("no frame is within one interval of the press")
    }
    guard let id = taken.itemID ?? press.itemID else { return (result, nil) }
    await check(try await read(id, client), against: taken, &result)
    return (result, id)
  }

  private static func seen(_ press: PressReport) -> [String] {
    let decimal = { (value: Double?) in Figures.decimal(value, 1, unit: "ms") }
    let interval = press.frameIntervalMilliseconds.map {
      " of \(Figures.decimal($0, 1, unit: "ms")) between frames"
    }
    var seen = [
      "press \(press.number) is stored after \(decimal(press.pressToStoredMilliseconds))",
      "its frame came \(decimal(press.pressToFrameMilliseconds)) after the press, "
        + "off by \(decimal(press.selectionErrorMilliseconds))\(interval ?? "")",
    ]
    if let id = press.itemID { seen.append("the picture is \(id)") }
    return seen
  }

  // MARK: the file

  /// The contents of a picture's file as read back.
  private struct Contents {
    let digest = Digest(.sha256)
    var bytes = 0
    var head: [UInt8] = []
  }

  /// Reads the picture back; `nil` if its file has been delivered and removed meanwhile.
  private func read(
    _ id: String, _ client: RigClient
  ) async throws(RigClientError) -> (sha256: String, bytes: Int, head: [UInt8])? {
    let contents = Mutex(Contents())
    do throws(RigClientError) {
      try await client.spoolImage(SpoolItemReference(id)) { bytes in
        contents.withLock { contents in
          contents.digest.update(bytes.bytes)
          contents.bytes += bytes.count
          let room = JPEGHeader.searchedBytes - contents.head.count
          if room > 0 { contents.head += bytes.prefix(room) }
        }
        return true
      }
    } catch {
      guard case .refused(let cause) = error, cause.code == .notFound else { throw error }
      return nil
    }
    return contents.withLock { ($0.digest.value.hexadecimal, $0.bytes, $0.head) }
  }

  private func check(
    _ file: (sha256: String, bytes: Int, head: [UInt8])?, against press: PressReport,
    _ result: inout TestResult
  ) async {
    guard let file else {
      return result.seen.append("its file was uploaded and removed before it could be read back")
    }
    guard press.sha256 == nil || press.sha256 == file.sha256 else {
      result.verdict = .failed
      return result.seen.append("its file has another SHA-256 than was stored")
    }
    let size = JPEGHeader.size(of: file.head)
    let form = size.map { "a JPEG of \($0.width)x\($0.height)" } ?? "no JPEG"
    result.seen.append("its file has \(Figures.bytes(Int64(file.bytes))), \(form)")
    if let size {
      result.figures["width"] = Double(size.width)
      result.figures["height"] = Double(size.height)
    } else if file.head.starts(with: [0xFF, 0xD8]) {
      result.verdict = .failed
    }
  }
}
