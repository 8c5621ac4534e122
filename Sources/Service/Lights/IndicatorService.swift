import Capture
import Devices
import Logging
import ServiceLifecycle

/// The service that makes the lights show the state of the ``RigMonitor``.
///
/// On shutdown all lights go out.
///
/// Lights that vouch for the service have a heartbeat: they are refreshed repeatedly, but only
/// while the capture session answers and no call of the camera hangs. Without it they go dark by
/// themselves (``Devices/Indicator/show(_:for:)``) after three seconds. A rig's only light that
/// shows a code goes dark after two codes and a second.
struct IndicatorService: Service {
  let indicators: [IndicatorRole: any Indicator]
  let monitor: RigMonitor
  /// Returns whether the service is alive; during a hang, the call does not return.
  let isAlive: @Sendable () async -> Bool
  let clock: any MonotonicClock
  let logger: Logger
  /// The test of a light, if any.
  var test = LightTest()

  func run() async throws {
    let changes = monitor.snapshotChanges()
    let tests = test.changes.listen(limit: 1)
    let lights = Lights(
      indicators: indicators, monitor: monitor, clock: clock, logger: logger, test: test)
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask { await self.beat(lights) }
        group.addTask {
          await lights.refresh()
          for await _ in changes { await lights.refresh() }
        }
        group.addTask { for await _ in tests { await lights.refresh() } }
      }
    }
    await IndicatorService.releaseAll(indicators)
  }

  /// Turns all lights off and releases them.
  static func releaseAll(_ indicators: [IndicatorRole: any Indicator]) async {
    for indicator in indicators.values { await indicator.release() }
  }

  /// Renews the lights, which go out by themselves when the service does not answer.
  private func beat(_ lights: Lights) async {
    while !Task.isCancelled {
      let now = clock.now
      let second = now.next(.seconds(1))
      // A beat that was skipped because the service does not answer is not made up for.
      let next = await lights.nextBeat.map { $0 > now ? min($0, second) : second }
      do { try await clock.sleep(until: next ?? second) } catch { break }
      if await isAlive() { await lights.refresh(isBeat: true) }
    }
  }

  /// The lights and their shown signals.
  private actor Lights {
    private let indicators: [IndicatorRole: any Indicator]
    private let monitor: RigMonitor
    private let clock: any MonotonicClock
    private let logger: Logger
    private let test: LightTest
    private var shown: [IndicatorRole: (signal: IndicatorSignal, nextBeat: MonotonicInstant?)] = [:]
    private var failing: Set<IndicatorRole> = []
    private var condition: IndicatorLanguage.Condition?
    private var refusal = Notice<Int>(time: IndicatorLanguage.refusalTime)
    private var warning = Notice<RigMonitor.Warned>(time: PageWarning.signalTime)
    private var isRefreshing = false
    private var isRefreshWanted = false
    private var isBeatWanted = false

    init(
      indicators: [IndicatorRole: any Indicator], monitor: RigMonitor, clock: any MonotonicClock,
      logger: Logger, test: LightTest
    ) {
      self.indicators = indicators
      self.monitor = monitor
      self.clock = clock
      self.logger = logger
      self.test = test
    }

    /// The time of the next heartbeat, or the end of the display of a refused press or a warning.
    var nextBeat: MonotonicInstant? {
      let ends = [
        condition?.hasRefused == true ? refusal.until : nil,
        condition?.pageWarning != nil ? warning.until : nil,
      ]
      return (shown.values.compactMap(\.nextBeat) + ends.compactMap(\.self)).min()
    }

    /// Makes the lights show the monitor's current state.
    ///
    /// At a heartbeat, the state is read again, so that no light continues to show an older one.
    ///
    /// Only one refresh runs at a time; a request during a refresh follows at once.
    ///
    /// - Parameter isBeat: whether the service is alive, so that due signals that vouch for it may
    ///   be refreshed.
    func refresh(isBeat: Bool = false) async {
      isRefreshWanted = true
      isBeatWanted = isBeatWanted || isBeat
      guard !isRefreshing else { return }
      isRefreshing = true
      while isRefreshWanted {
        isRefreshWanted = false
        let isBeat = isBeatWanted
        isBeatWanted = false
        let snapshot = await monitor.snapshot
        let now = clock.now
        await show(
          IndicatorLanguage.Condition(
            snapshot, hasRefused: refusal.isShown(snapshot.refusal, at: now),
            pageWarning: warning.isShown(snapshot.warned, at: now)
              ? snapshot.warned?.warning : nil),
          isBeat: isBeat)
      }
      isRefreshing = false
    }

    private func show(_ new: IndicatorLanguage.Condition, isBeat: Bool) async {
      let isNews = new != condition
      condition = new
      let now = clock.now
      // An imminent power off is more important than a test.
      let shining = new.isPowerOffArmed ? nil : test.shining(at: now)
      for role in indicators.keys {
        if let shining {
          await show(shining, on: role)
          continue
        }
        let signal = IndicatorLanguage.signal(of: role, in: new)
        if let state = shown[role], state.signal == signal {
          // A change does not restart a signal with a heartbeat: its code would become unreadable.
          let isDue =
            state.nextBeat.map { isBeat && $0 <= now.advanced(by: signal.earliness) }
            ?? (isNews || failing.contains(role))
          guard isDue else { continue }
        }
        await show(signal, on: role)
      }
    }

    /// Lights the tested lights, and no others, until the end of the test.
    private func show(_ shining: LightTest.Shining, on role: IndicatorRole) async {
      let isTested = shining.roles.contains(role)
      let signal = IndicatorSignal(isTested ? LightTest.pattern : .off)
      guard shown[role]?.signal != signal || failing.contains(role) else { return }
      let lifetime = isTested ? clock.now.duration(to: shining.until) : nil
      await show(signal, on: role, for: lifetime.map { max(.milliseconds(100), $0) })
    }

    private func show(_ signal: IndicatorSignal, on role: IndicatorRole) async {
      await show(signal, on: role, for: signal.heartbeat?.lifetime)
    }

    private func show(
      _ signal: IndicatorSignal, on role: IndicatorRole, for lifetime: Duration?
    ) async {
      shown[role] = (signal, signal.heartbeat.map { clock.now.advanced(by: $0.every) })
      do {
        try await indicators[role]?.show(signal.pattern, for: lifetime)
        failing.remove(role)
      } catch {
        if failing.insert(role).inserted {
          logger.warning(
            "a light cannot be set, going on without it", metadata: ["error": "\(error)"])
        }
      }
      await monitor.note(
        light: RigMonitor.Light(pattern: signal.pattern, isFailing: failing.contains(role)),
        of: role)
    }
  }
}

/// A notice about a press, which the lights show for a limited time.
private struct Notice<Subject: Hashable> {
  private let time: Duration
  private var newest: Subject?
  /// The end of the display of the newest notice.
  private(set) var until: MonotonicInstant?

  init(time: Duration) { self.time = time }

  /// Returns whether a notice has been shown for less than its time.
  mutating func isShown(_ subject: Subject?, at now: MonotonicInstant) -> Bool {
    guard let subject else { return false }
    if newest != subject {
      newest = subject
      until = now.advanced(by: time)
    }
    return until.map { now < $0 } ?? false
  }
}

extension IndicatorSignal {
  /// The time by which a heartbeat may come early, so that all beats come at a full second.
  ///
  /// An early beat does not show in a steady light, and would cut a code short.
  fileprivate var earliness: Duration {
    pattern.period == .zero ? .seconds(1) : .zero
  }
}

extension IndicatorLanguage.Condition {
  /// Makes the lights' condition from the monitor's state.
  init(_ snapshot: RigMonitor.Snapshot, hasRefused: Bool, pageWarning: PageWarning?) {
    var faults = Set(snapshot.faults.map(\.reason))
    switch snapshot.accelerometer {
    case .ok, .none: break
    default: faults.insert(.accelerometer)
    }
    self.init(
      readiness: snapshot.readiness, faults: faults, upload: snapshot.upload,
      isPowerOffArmed: snapshot.powerOffArmedUntil != nil, hasRefused: hasRefused,
      isCountingDown: snapshot.countdown != nil, pageWarning: pageWarning,
      isRecording: snapshot.isRecording)
  }
}
