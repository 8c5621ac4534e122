import API
import Capture
import Devices
import Imaging
import Logging
import PageSense

/// The eyes and hands of the ``Capture/PageTurnDetector``: frames, readings and presses.
actor HandsFreeDriver {
  private let session: CaptureSession
  private let previews: PreviewMaker
  private let pages: PageMaker
  private let monitor: RigMonitor
  private let clock: any MonotonicClock
  private let logger: Logger
  private var detector: PageTurnDetector<SeenPage>
  private var motion = MotionMeter()
  /// The number of the frame that was read last, which is not read twice.
  private var readFrame: UInt64?
  /// The place of the page at its last reading, the whole picture at first.
  private var place = HandsFreeDriver.everywhere

  private static let everywhere = PageFindings.Region(x: 0, y: 0, width: 1, height: 1)

  init(
    _ policy: PageTurnPolicy, session: CaptureSession, previews: PreviewMaker,
    pages: PageMaker, monitor: RigMonitor, clock: any MonotonicClock, logger: Logger
  ) {
    detector = PageTurnDetector(policy)
    self.session = session
    self.previews = previews
    self.pages = pages
    self.monitor = monitor
    self.clock = clock
    self.logger = logger
  }

  /// Observes the newest frame.
  ///
  /// - Returns: the time of the observation when the page is to be taken; `nil` otherwise.
  func observe() async -> MonotonicInstant? {
    guard await session.captureConstraints.preview == .unlimited else { return await loseSight() }
    let now = clock.now
    let picture: GrayPicture
    do {
      picture = try await previews.glance()
    } catch PreviewRefusal.capturing {
      // The motion since the last glance is seen by the next one.
      return nil
    } catch {
      return await loseSight()
    }
    var action = detector.observe(motion: motion.observe(picture), at: now, isReady: isReady)
    if action == .read { action = await readPage(in: picture) }
    await show(action)
    return action == .take ? now : nil
  }

  /// Takes the picture of an observation, and notes its outcome.
  func press(for observation: MonotonicInstant) async {
    do {
      let number = try await session.press(at: clock.now, source: .handsFree)
      logger.info("a page was turned", metadata: ["press.number": "\(number)"])
      switch await session.outcome(of: number)?.outcome {
      case .stored?: detector.stored(observation)
      case .refused?, nil: await show(detector.refused(observation, at: clock.now))
      }
    } catch {
      await show(detector.refused(observation, at: clock.now))
      logger.critical(
        "a page that was turned got no number and no picture", metadata: ["error": "\(error)"])
    }
  }

  /// Notes somebody else's press, and its outcome.
  func note(_ record: PressRecord) async {
    let time = record.press.time
    switch record.outcome {
    case nil where record.frame == nil:
      await show(detector.pressed(at: time, motion.latest.map { seenPage(in: $0) }))
    case nil: break
    case .stored?: detector.stored(time)
    case .refused?: await show(detector.refused(time, at: clock.now))
    }
  }

  private var isReady: Bool { session.readiness.state == .ready }

  private func loseSight() async -> MonotonicInstant? {
    motion.loseSight()
    await show(detector.lostSight())
    return nil
  }

  private func readPage(in picture: GrayPicture) async -> PageTurnDetector<SeenPage>.Action {
    guard let since = detector.stillSince, let look = try? await pages.look(),
      look.info.exposureMidpoint >= since, look.info.id != readFrame
    else { return .wait }
    readFrame = look.info.id
    let findings = look.findings
    place = Self.place(of: findings)
    let page = PageTurnDetector<SeenPage>.Page(
      isCovered: findings.warnings.contains(.pageCovered),
      hasContent: (findings.outline != nil || !findings.regions.isEmpty)
        && !findings.warnings.contains(.pageEmpty),
      look: seenPage(in: picture, letters: look.letters))
    return detector.read(page, at: clock.now, isReady: isReady)
  }

  private func seenPage(in picture: GrayPicture, letters: PageLook? = nil) -> SeenPage {
    SeenPage(
      letters: letters,
      fields: PageFingerprint(fields: picture.fields(PageFingerprint.side, of: place)))
  }

  /// Returns the upright box around the page, around its text if no page stands out.
  private static func place(of findings: PageFindings) -> PageFindings.Region {
    let text = findings.regions.flatMap { region in
      [
        PageFindings.Point(x: region.x, y: region.y),
        PageFindings.Point(x: region.x + region.width, y: region.y + region.height),
      ]
    }
    let points = findings.outline ?? text
    let (x, y) = (points.map(\.x), points.map(\.y))
    guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max(),
      right > left, bottom > top
    else { return everywhere }
    return PageFindings.Region(x: left, y: top, width: right - left, height: bottom - top)
  }

  private func show(_ action: PageTurnDetector<SeenPage>.Action) async {
    switch action {
    case .count(let seconds): await monitor.note(countdown: seconds)
    case .callOff, .take: await monitor.note(countdown: nil)
    case .wait, .read: break
    }
  }
}
