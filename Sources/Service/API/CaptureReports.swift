import API
import Capture
import Devices

/// The API reports of the session's steps and interruptions.
extension InterruptionReport {
  init(_ interruption: Interruption) {
    self.init(
      reason: Word(interruption.reason), cause: interruption.cause,
      beganNanoseconds: interruption.beganAt.nanoseconds,
      endedNanoseconds: interruption.endedAt?.nanoseconds, refuses: interruption.refuses)
  }
}

extension PhotoSettings {
  /// Makes the settings of a press that the API requested.
  init(_ settings: PressSettings) {
    self.init(
      prioritization: settings.prioritization,
      allowsFastCapture: settings.fastCapture ?? true,
      replacesLastPhoto: settings.retake ?? false, bracket: settings.bracket,
      flashMode: settings.flash, formats: settings.formats, merge: settings.merge)
  }
}

extension CaptureProgressReport {
  init(_ progress: CaptureProgress) {
    let press = progress.uniqueID
    switch progress.step {
    case .settingsResolved(let settings):
      self.init(
        press: press, step: .settingsResolved, prioritization: Word(settings.prioritization),
        isFastCapture: settings.isFastCapture, count: settings.expectedPhotoCount,
        flash: (settings.flash?.mode).map { Word($0) },
        isFlashEnabled: settings.flash?.isEnabled,
        singleFrame: settings.singleFrame.map { Word($0) })
    case .exposureBegan(let instant):
      self.init(press: press, step: .exposureBegan, exposureNanoseconds: instant.nanoseconds)
    case .exposureEnded(let instant):
      self.init(press: press, step: .exposureEnded, exposureNanoseconds: instant.nanoseconds)
    case .photoDelivered(let delivery, let count):
      self.init(
        press: press, step: .photoDelivered, count: count, index: delivery.index,
        kind: delivery.kind.rawValue, itemID: delivery.photo.itemID,
        averagedFrames: delivery.photo.averagedFrames,
        isProxy: delivery.finality == .proxy ? true : nil,
        orientationSource: delivery.photo.orientationSource.map { Word($0) },
        page: delivery.photo.page.map { PageReport($0) })
    case .finished(.stored):
      self.init(press: press, step: .captureFinished)
    case .finished(.refused(let reason)):
      self.init(press: press, step: .captureFinished, reason: reason.rawValue)
    }
  }
}
