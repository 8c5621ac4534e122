import Capture
import Devices
import Logging
import ServiceLifecycle

/// Makes the lights show what the ``RigMonitor`` knows; on shutdown all lights go out.
///
/// Lights that vouch for the service have a heartbeat: they are shown again and again, but only
/// while the capture session answers and no call of the camera hangs. Without it they go dark by
/// themselves (``Devices/Indicator/show(_:for:)``): after three seconds, or two codes and a second
/// for the only light of a rig while it shows a code.
struct IndicatorService: Service {
  let indicators: [IndicatorRole: any Indicator]
  let monitor: RigMonitor
  /// Whether the service is in order; a hang is an answer that does not come.
  let isAlive: @Sendable () async -> Bool
  let clock: any MonotonicClock
  let logger: Logger
  /// The light that is tested, if any.
  var test = LightTest()

  func run() async throws {
    // That something changed is enough: what is shown is what is known when it is shown.
    let changes = monitor.changes.listen(limit: 1)
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

  /// Turns all lights off and gives them back.
  static func releaseAll(_ indicators: [IndicatorRole: any Indicator]) async {
    for indicator in indicators.values { await indicator.release() }
  }

  private func beat(_ lights: Lights) async {
    while !Task.isCancelled {
      let now = clock.now
      let second = now.advanced(by: .seconds(1))
      // A beat that was left out because the service does not answer is not waited for.
      let next = await lights.nextBeat.map { $0 > now ? min($0, second) : second }
      do { try await clock.sleep(until: next ?? second) } catch { break }
      if await isAlive() { await lights.refresh(isBeat: true) }
    }
  }

  /// The lights and what they show.
  private actor Lights {
    private let indicators: [IndicatorRole: any Indicator]
    private let monitor: RigMonitor
    private let clock: any MonotonicClock
    private let logger: Logger
    private let test: LightTest
    private var shown: [IndicatorRole: (signal: IndicatorSignal, nextBeat: MonotonicInstant?)] = [:]
    private var failing: Set<IndicatorRole> = []
    private var condition: IndicatorLanguage.Condition?
    private var refusal: (number: Int, until: MonotonicInstant)?
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

    /// When the next heartbeat is due, or the end of what is shown of a refused press.
    var nextBeat: MonotonicInstant? {
      let refusalEnd = condition?.hasRefused == true ? refusal?.until : nil
      return (shown.values.compactMap(\.nextBeat) + [refusalEnd].compactMap(\.self)).min()
    }

    /// Makes the lights show what the monitor knows at this moment, also at a heartbeat: what a
    /// light goes on to show is never older than that.
    ///
    /// One refresh goes on at a time; what is asked for meanwhile follows at once.
    ///
    /// - Parameter isBeat: whether the service is in order, so that signals that vouch for it and
    ///   are due may be shown again.
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
        await show(
          IndicatorLanguage.Condition(
            snapshot, hasRefused: isRefusalNew(snapshot.refusal, at: clock.now)),
          isBeat: isBeat)
      }
      isRefreshing = false
    }

    /// Whether the refusal of a press is one that the lights have not told of for a second yet.
    private func isRefusalNew(_ number: Int?, at now: MonotonicInstant) -> Bool {
      guard let number else { return false }
      if refusal?.number != number { refusal = (number, now.advanced(by: .seconds(1))) }
      return refusal.map { now < $0.until } ?? false
    }

    private func show(_ new: IndicatorLanguage.Condition, isBeat: Bool) async {
      let isNews = new != condition
      condition = new
      let now = clock.now
      // That the power goes off soon is more important than a test.
      let shining = new.isPowerOffArmed ? nil : test.shining(at: now)
      for role in indicators.keys {
        if let shining {
          await show(shining, on: role)
          continue
        }
        let signal = IndicatorLanguage.signal(of: role, in: new)
        if let state = shown[role], state.signal == signal {
          // A signal with a heartbeat is not begun anew by every change: its code could not be read.
          let isDue =
            state.nextBeat.map { isBeat && $0 <= now } ?? (isNews || failing.contains(role))
          guard isDue else { continue }
        }
        await show(signal, on: role)
      }
    }

    /// Lights the light that is tested until the end of its test, and no other.
    private func show(_ shining: LightTest.Shining, on role: IndicatorRole) async {
      let signal = IndicatorSignal(role == shining.role ? LightTest.pattern : .off)
      guard shown[role]?.signal != signal || failing.contains(role) else { return }
      let lifetime = role == shining.role ? clock.now.duration(to: shining.until) : nil
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

extension IndicatorLanguage.Condition {
  /// What the monitor knows, as the lights show it.
  init(_ snapshot: RigMonitor.Snapshot, hasRefused: Bool) {
    var faults = Set(snapshot.faults.map(\.reason))
    switch snapshot.accelerometer {
    case .ok, .none: break
    default: faults.insert(.accelerometer)
    }
    self.init(
      readiness: snapshot.readiness, faults: faults, upload: snapshot.upload,
      isPowerOffArmed: snapshot.powerOffArmedUntil != nil, hasRefused: hasRefused)
  }
}
