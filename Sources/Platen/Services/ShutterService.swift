import Capture
import Devices
import Logging
import ServiceLifecycle

/// Watches the shutter's line and hands its presses to the session.
///
/// Its shutdown gives the line back at once, so that no press is taken that could not be finished.
struct ShutterService: Service {
  let line: any ButtonLine
  let debounce: Duration
  let session: CaptureSession
  let clock: any MonotonicClock
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var lastFailure: String?
      while !Task.isCancelled {
        await watchUntilItFails(&lastFailure)
        do { try await clock.sleep(for: .seconds(1)) } catch { break }
      }
    }
  }

  /// Takes presses until the line fails; the same failure again and again is logged once.
  private func watchUntilItFails(_ lastFailure: inout String?) async {
    do {
      let watch = try await line.watch()
      lastFailure = nil
      var debouncer = Debouncer(
        quietTime: debounce, isActiveAtStart: watch.isActiveAtStart)
      if watch.isActiveAtStart {
        logger.warning(
          "the shutter is held down at the start; that is no press",
          metadata: ["button.line": "\(line.name)"])
      }
      for await event in watch.events {
        switch event {
        case .edge(let edge):
          if debouncer.isPress(edge) { await press(at: edge.time) }
        case .lostEdges(let count):
          logger.warning(
            "edges of the shutter were lost",
            metadata: ["button.line": "\(line.name)", "button.lostEdges": "\(count)"])
        case .failed(let error):
          throw error
        }
      }
    } catch {
      if "\(error)" != lastFailure {
        logger.error("the shutter cannot be read, trying again", metadata: ["error": "\(error)"])
      }
      lastFailure = "\(error)"
    }
    await line.release()
  }

  private func press(at time: MonotonicInstant) async {
    do {
      let number = try await session.press(at: time, source: .button)
      logger.info("shutter pressed", metadata: ["press.number": "\(number)"])
    } catch {
      logger.critical("a press got no number and no picture", metadata: ["error": "\(error)"])
    }
  }
}
