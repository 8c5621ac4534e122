import API
import Capture
import Devices
import Imaging
import Spool

/// How the parts' own values look in the API.
extension ReadinessReport {
  init(_ readiness: Readiness) {
    self.init(
      state: readiness.state.rawValue, reasons: readiness.reasons.map(\.rawValue))
  }
}

extension SessionReport {
  init(_ status: CaptureSessionStatus, now: MonotonicInstant) {
    let frameDuration = status.stream?.frameDuration
    self.init(
      state: !status.isRunning ? "stopped" : status.stream == nil ? "waitingForCamera" : "running",
      camera: status.camera.map { CameraReport(id: $0.id, model: $0.model) },
      size: status.stream.map {
        SizeReport(width: $0.format.size.width, height: $0.format.size.height)
      },
      pixelFormat: status.stream?.format.pixelFormat.rawValue,
      frameRate: frameDuration.map { 1000 / $0.inMilliseconds },
      adjustments: status.stream?.adjustments ?? [], framesSeen: status.frameCount,
      lastFrameAgeMilliseconds: status.lastFrameArrival.map { $0.duration(to: now).inMilliseconds })
  }
}

extension ThermalReport {
  init(_ state: ThermalState, _ temperatures: [RigMonitor.Temperature]) {
    self.init(
      state: state.name,
      temperatures: temperatures.map { TemperatureReport(zone: $0.zone, celsius: $0.celsius) })
  }
}

extension PressReport {
  init(_ record: PressRecord, receipt: ReceiptReport?) {
    var outcome = Outcome.pending
    var reason: String?
    var photo: StoredPhoto?
    switch record.outcome {
    case .stored(let stored):
      outcome = .stored
      photo = stored
    case .refused(let refusal):
      outcome = .refused
      reason = refusal.rawValue
    case nil: break
    }
    self.init(
      number: record.press.number, source: record.press.source.rawValue, outcome: outcome,
      reason: reason, frame: record.frame?.id,
      selectionErrorMilliseconds: record.selectionError?.inMilliseconds,
      frameIntervalMilliseconds: record.frameInterval?.inMilliseconds,
      pressToFrameMilliseconds: record.pressToFrame?.inMilliseconds,
      pressToStoredMilliseconds: record.pressToStored?.inMilliseconds,
      exifOrientation: record.captureAngle.map { PressReport.exifOrientation(captureAngle: $0) },
      path: photo?.path, itemID: photo?.itemID, sha256: photo?.sha256, bytes: photo?.byteCount,
      nearDuplicateOf: photo?.nearDuplicateOf, receipt: receipt)
  }

  /// The report of a press of an earlier run, from what the spool still knows of it.
  init(_ item: ItemRecord) {
    self.init(
      number: item.metadata.pressNumber ?? 0, source: item.metadata.pressSource ?? "unknown",
      outcome: .stored,
      selectionErrorMilliseconds: item.metadata.selectionErrorNanoseconds.map { Double($0) / 1e6 },
      frameIntervalMilliseconds: item.metadata.frameIntervalNanoseconds.map { Double($0) / 1e6 },
      exifOrientation: item.metadata.orientation, path: item.path,
      itemID: item.id.description, sha256: item.sha256, bytes: Int(item.byteCount),
      nearDuplicateOf: item.metadata.nearDuplicateOf, receipt: ReceiptReport(ofAll: item))
  }

  static func exifOrientation(captureAngle: Int) -> Int {
    Int((ImageOrientation(clockwiseRotation: captureAngle) ?? .up).rawValue)
  }
}
