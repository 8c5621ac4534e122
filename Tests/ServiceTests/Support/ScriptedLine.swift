import Devices

/// A line with scripted edges and failures.
actor ScriptedLine: ButtonLine {
  nonisolated let name = "SHUTTER"
  /// An element for each attempt to watch: whether it succeeded.
  nonisolated let watches: AsyncStream<Bool>
  private nonisolated let report: AsyncStream<Bool>.Continuation
  private(set) var attempts = 0
  private(set) var releases = 0
  private var failures = 0
  private var isHeld = false
  private var events: AsyncStream<ButtonLineEvent>.Continuation?

  init() { (watches, report) = AsyncStream.makeStream() }

  /// Holds the button down from the beginning of the next watch.
  func hold() { isHeld = true }

  /// Makes the next attempts fail.
  func fail(_ count: Int) { failures = count }

  func send(_ event: ButtonLineEvent) { events?.yield(event) }

  func watch() async throws(DeviceError) -> ButtonLineWatch {
    attempts += 1
    report.yield(failures == 0)
    if failures > 0 {
      failures -= 1
      throw DeviceError(.busy, device: name, problem: "cannot be taken")
    }
    let (stream, continuation) = AsyncStream.makeStream(of: ButtonLineEvent.self)
    events = continuation
    return ButtonLineWatch(isActiveAtStart: isHeld, events: stream)
  }

  func release() async {
    releases += 1
    events?.finish()
    events = nil
  }
}
