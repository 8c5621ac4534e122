import API
import Capture
import Devices
import PageSense

/// A maker of findings about the page in the newest frame, for all callers, one at a time.
///
/// A frame is copied and released, and then read on a queue of the maker's own. So neither a press
/// nor the live picture waits for a reading. A caller during a reading gets its result. A caller
/// soon afterwards gets the same result. The pause between two readings is at least three times as
/// long as a reading. So all callers together use at most a quarter of a core. A hot rig reads no
/// page, so that its live picture lasts longer.
actor PageMaker {
  /// The findings about the page in a frame.
  struct Look: Sendable {
    var findings: PageFindings
    /// The findings with those of the warnings that are given.
    var shown: PageFindings
    /// The look of the letters; `nil` for a page without text, and where pages are not compared.
    var letters: PageLook?
    var aim: PageAim
    var info: FrameInfo
    var frameSize: FrameSize
    var previewAngle: Int
    var isMirrored: Bool
  }

  /// Reads the page in a frame.
  typealias Read = @Sendable (UnsafeRawBufferPointer, StreamFormat) throws -> PageReader.Reading

  /// The shortest time between the starts of two readings.
  static let shortestPause = Duration.milliseconds(200)
  /// The shortest pause as a multiple of a reading's duration.
  static let rest = 3
  /// The time that a press may delay a first reading.
  private static let timeout = Duration.seconds(1)
  /// The maximum age of a reading that replaces a new one while presses need the frames.
  private static let keptFor = Duration.seconds(2)

  private let previews: PreviewMaker
  private let limits: PageLimits
  private let warnings: Set<PageWarning>
  private let read: Read
  private let clock: any MonotonicClock
  private let executor = DispatchQueueExecutor(label: "platen.page")
  private var making: Task<Result<Look, APIError>, Never>?
  private var latest: Look?
  /// The time before which the latest reading is the answer.
  private var restsUntil: MonotonicInstant?
  /// The number of frames that were read.
  private(set) var readingCount = 0

  /// The separate queue on which frames are read.
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a maker.
  ///
  /// - Parameters:
  ///   - previews: the maker that leases the frames.
  ///   - limits: the limits from which findings become warnings.
  ///   - warnings: the warnings that are given.
  ///   - comparesPages: whether each reading has the look of its letters.
  ///   - read: reads the page in a frame; `nil` for the reader of pages.
  ///   - clock: the clock of the pauses.
  init(
    previews: PreviewMaker, limits: PageLimits = PageLimits(),
    warnings: some Sequence<PageWarning> = PageWarning.allCases, comparesPages: Bool = false,
    read: Read? = nil, clock: any MonotonicClock
  ) {
    self.previews = previews
    self.limits = limits
    self.warnings = Set(warnings)
    self.clock = clock
    let reader = PageReader(limits)
    self.read =
      read ?? { bytes, format in
        guard comparesPages else {
          return PageReader.Reading(try reader.read(bytes: bytes, format: format))
        }
        return try reader.readWithLook(bytes: bytes, format: format)
      }
  }

  /// Returns the findings about the page in the newest frame.
  ///
  /// - Throws: `APIError`: `conflict` while no camera gives frames, `unavailable` while all frames
  ///   are needed for pictures or the rig is hot.
  func look() async throws(APIError) -> Look {
    guard await previews.session.captureConstraints.preview == .unlimited else {
      throw APIError(.unavailable, "No page is looked for while the rig is hot.")
    }
    if let making { return try await making.value.get() }
    if let latest, let restsUntil, clock.now < restsUntil { return latest }
    let task = Task { await self.make() }
    making = task
    return try await task.value.get()
  }

  private func make() async -> Result<Look, APIError> {
    defer { making = nil }
    let deadline = clock.now.advanced(by: Self.timeout)
    while true {
      do {
        let copy = try await previews.copy()
        // The time on this queue, in which nothing else of the maker runs.
        let began = clock.now
        let reading = try copy.bytes.withUnsafeBytes { try read($0, copy.format) }
        let duration = began.duration(to: clock.now)
        readingCount += 1
        restsUntil = began.advanced(by: max(Self.shortestPause, duration * (Self.rest + 1)))
        var shown = reading.findings
        shown.warnings.removeAll { !warnings.contains($0) }
        let look = Look(
          findings: reading.findings, shown: shown, letters: reading.look,
          aim: PageAim(reading.findings, limits: limits), info: copy.info,
          frameSize: copy.format.size, previewAngle: copy.previewAngle,
          isMirrored: copy.isMirrored)
        latest = look
        return .success(look)
      } catch PreviewRefusal.noFrames(let reason) {
        latest = nil
        return .failure(PreviewMaker.refusal(reason))
      } catch PreviewRefusal.capturing {
        if let latest, latest.info.timestamp.duration(to: clock.now) < Self.keptFor {
          return .success(latest)
        }
        guard clock.now < deadline else { return .failure(PreviewMaker.busy) }
        // Only a lease shows that a frame is free. The task is never canceled.
        try? await clock.sleep(for: PreviewMaker.retryInterval)
      } catch {
        return .failure(APIError(.internalError, "The page cannot be read: \(error)."))
      }
    }
  }
}
