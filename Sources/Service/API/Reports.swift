import API
import Capture
import Devices
import Doctor
import Imaging
import Spool

/// The API reports of the parts' own values.
extension ReadinessReport {
  init(_ readiness: Readiness) {
    self.init(
      state: Word(readiness.state), reasons: readiness.reasons.map { Word($0) },
      warnings: readiness.warnings.isEmpty ? nil : readiness.warnings.map { Word($0) })
  }
}

extension SessionReport {
  init(
    _ status: CaptureSessionStatus, now: MonotonicInstant, cameraProcess: CameraProcessReport?
  ) {
    let state: State =
      !status.isRunning ? .stopped : status.stream == nil ? .waitingForCamera : .running
    let frameDuration = status.frameInterval ?? status.stream?.frameDuration
    self.init(
      state: Word(state),
      camera: status.camera.map { CameraReport(id: $0.id, model: $0.model) },
      size: status.stream.map {
        SizeReport(width: $0.format.size.width, height: $0.format.size.height)
      },
      pixelFormat: (status.stream?.format.pixelFormat).map { Word($0) },
      frameRate: frameDuration.map { 1000 / $0.inMilliseconds },
      adjustments: status.stream?.adjustments ?? [], framesSeen: status.frameCount,
      lastFrameAgeMilliseconds: status.lastFrameArrival.map { $0.duration(to: now).inMilliseconds },
      cameraRole: status.cameraRole?.rawValue,
      isStandbyInUse: status.camera == nil ? nil : status.isStandbyInUse,
      lastFault: status.lastFault, lastRecovery: status.lastRecovery.map { "\($0)" },
      lastOutageMilliseconds: status.lastOutage?.inMilliseconds,
      preset: status.preset?.description, cameraProcess: cameraProcess,
      lamp: status.lamp.map { LampReport(isLit: $0.isLit, fault: $0.fault) })
  }
}

extension LightReport {
  /// Makes the report of a light.
  ///
  /// - Parameter light: the light's last instruction; `nil` before the first one.
  init(role: IndicatorRole, name: String, light: RigMonitor.Light?) {
    let entry = light.flatMap { IndicatorLanguage.entry(of: role, showing: $0.pattern) }
    if light?.pattern == LightTest.pattern {
      self.init(
        role: Word(role), name: name, state: LightTest.state, shown: LightTestReport.pattern,
        meaning: "a technician tests this light", isFailing: light?.isFailing ?? false)
      return
    }
    self.init(
      role: Word(role), name: name, state: entry?.state, shown: entry?.shown,
      meaning: entry?.meaning, code: entry?.code?.description,
      isFailing: light?.isFailing ?? false)
  }
}

extension PressReport {
  /// The files of a press in the spool.
  struct Pictures {
    /// The picture, the first one of a bracket; `nil` for none that is known.
    var first: ItemRecord?
    /// The other files, of which a bracket has some.
    var others: [ItemRecord] = []

    /// Whether any file lacks parts of its frame; `nil` for none.
    var isDamaged: Bool? {
      ([first].compactMap(\.self) + others).contains { $0.metadata.isDamaged == true } ? true : nil
    }
  }

  /// Makes the report of a press of this run from the session's record alone.
  init(_ record: PressRecord, bootID: String?) {
    let unknown = WallClockReading(nanosecondsSinceEpoch: 0, trust: .estimated, secondsFromGMT: 0)
    let entry = PressEntry(record, bootID: bootID, reading: unknown).withoutWallTime
    self.init(
      entry, photo: record.photo, pictures: Pictures(), receipt: nil, record: record)
  }

  /// Makes the report of a press from the ledger, the pictures' rows and the session's record.
  init(
    _ entry: PressEntry, photo: StoredPhoto?, pictures: Pictures, receipt: ReceiptReport?,
    record: PressRecord?, hasRegions: Bool = false
  ) {
    let item = pictures.first
    let findings = photo?.page ?? item?.metadata.page
    let source = photo?.orientationSource ?? item?.metadata.orientationSource
    let orientation = source.map { Word($0) }
    let gesture: Word<Gesture>? = entry.gesture.map { Word($0) }
    let trust = entry.time.wallNanoseconds.map { _ in Word(entry.time.wallTrust) }
    let state: Word<SpoolItemReport.State>? = item.map { Word(rawValue: $0.state.rawValue) }
    let readiness: Word<CaptureReadiness>? = entry.readiness.map { Word($0) }
    let adjusting: [Word<CameraAdjustment>]? = entry.adjusting.map { $0.map { Word($0) } }
    let wantedFlash = record?.flash?.mode ?? item?.metadata.flash
    let flash: Word<FlashMode>? = wantedFlash.map { Word($0) }
    let singleFrame = photo?.singleFrame ?? item?.metadata.singleFrame
    let unmerged = photo?.unmerged ?? item?.metadata.unmerged
    let milliseconds = { (nanoseconds: Int64?) in nanoseconds.map { Double($0) / 1e6 } }
    self.init(
      number: entry.number, source: Word(entry.source),
      gesture: gesture, button: entry.button,
      time: ISO8601Time.text(entry.time), timeTrust: trust,
      bootID: entry.time.bootID, monotonicNanoseconds: entry.time.monotonicNanoseconds,
      readiness: readiness, outcome: Outcome(PressQuery.Outcome(entry.outcome)),
      reason: entry.reason,
      frame: record?.frame?.sequence ?? entry.frame.flatMap { UInt64(exactly: $0) },
      selectionErrorMilliseconds: milliseconds(entry.selectionErrorNanoseconds),
      frameIntervalMilliseconds: milliseconds(entry.frameIntervalNanoseconds),
      pressToFrameMilliseconds: milliseconds(entry.pressToFrameNanoseconds),
      pressToStoredMilliseconds: milliseconds(entry.pressToStoredNanoseconds),
      captureAngle: entry.captureAngle,
      exifOrientation: entry.captureAngle.map { PressReport.exifOrientation(captureAngle: $0) }
        ?? item?.metadata.orientation,
      path: photo?.path ?? item?.path,
      itemID: photo?.itemID ?? entry.items.first?.description,
      itemIDs: entry.items.count > 1 ? entry.items.map(\.description) : nil,
      pictureState: state, sha256: item?.sha256 ?? photo?.sha256,
      bytes: item.map { Int($0.byteCount) } ?? photo?.byteCount,
      nearDuplicateOf: photo?.nearDuplicateOf ?? item?.metadata.nearDuplicateOf,
      adjusting: adjusting, receipt: receipt,
      flash: flash,
      isFlashFired: record?.isFlashFired ?? item?.metadata.isFlashFired,
      averagedFrames: photo?.averagedFrames ?? item?.metadata.averagedFrames,
      singleFrame: singleFrame.map { Word($0) },
      mergedFrames: photo?.mergedFrames ?? item?.metadata.mergedFrames,
      unmerged: unmerged.map { Word($0) },
      isDamaged: photo?.isDamaged == true ? true : pictures.isDamaged,
      orientationSource: orientation,
      page: findings.map { PageReport($0, hasRegions: hasRegions) }
        ?? entry.warnings.map { PageReport(warnings: $0) },
      bracket: entry.bracket?.description)
  }

  /// Makes the report of a press of an earlier run from the spool's records; `nil` without any.
  init?(_ pictures: Pictures) {
    guard let item = pictures.first else { return nil }
    let adjusting: [Word<CameraAdjustment>]? = item.metadata.adjusting.map { $0.map { Word($0) } }
    let flash: Word<FlashMode>? = item.metadata.flash.map { Word($0) }
    let singleFrame: Word<SingleFrameReason>? = item.metadata.singleFrame.map { Word($0) }
    let unmerged: Word<UnmergedReason>? = item.metadata.unmerged.map { Word($0) }
    self.init(
      number: item.metadata.pressNumber ?? 0,
      source: Word(item.metadata.pressSource ?? .unknown),
      bootID: item.metadata.captured.bootID,
      monotonicNanoseconds: item.metadata.pressMonotonicNanoseconds, outcome: .stored,
      selectionErrorMilliseconds: item.metadata.selectionErrorNanoseconds.map { Double($0) / 1e6 },
      frameIntervalMilliseconds: item.metadata.frameIntervalNanoseconds.map { Double($0) / 1e6 },
      exifOrientation: item.metadata.orientation, path: item.path,
      itemID: item.id.description, pictureState: Word(rawValue: item.state.rawValue),
      sha256: item.sha256,
      bytes: Int(item.byteCount),
      nearDuplicateOf: item.metadata.nearDuplicateOf, adjusting: adjusting,
      receipt: ReceiptReport(ofAll: item),
      flash: flash,
      isFlashFired: item.metadata.isFlashFired, averagedFrames: item.metadata.averagedFrames,
      singleFrame: singleFrame, mergedFrames: item.metadata.mergedFrames,
      unmerged: unmerged, isDamaged: pictures.isDamaged,
      orientationSource: item.metadata.orientationSource.map { Word($0) },
      page: item.metadata.page.map { PageReport($0, hasRegions: true) })
  }

  static func exifOrientation(captureAngle: Int) -> Int {
    Int((ImageOrientation(clockwiseRotation: captureAngle) ?? .up).rawValue)
  }
}

extension PressReport.Pictures {
  /// Makes the files of a press from the IDs in its entry.
  init(of ids: [ItemID], in items: [ItemID: ItemRecord]) {
    self.init(
      first: ids.first.flatMap { items[$0] }, others: ids.dropFirst().compactMap { items[$0] })
  }
}
