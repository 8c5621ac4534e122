import Capture
import Devices
import ServiceLifecycle

/// The service that takes a picture by itself when a page has been turned.
///
/// It looks at a small picture about six times a second, and rests at least three times as long as
/// a look takes. A rig that is hot takes no pictures by itself.
struct HandsFreeService: Service {
  /// The time between the starts of two looks.
  static let interval = Duration.milliseconds(160)
  /// The shortest pause as a multiple of a look's duration.
  private static let rest = 3

  let driver: HandsFreeDriver
  let session: CaptureSession
  let clock: any MonotonicClock

  func run() async throws {
    let events = session.events.listen(limit: 256, where: { $0.isOthersPress })
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask {
          for await case .press(let record) in events { await driver.note(record) }
        }
        while !Task.isCancelled {
          let began = clock.now
          let taken = await driver.observe()
          let ended = clock.now
          if let taken { group.addTask { await driver.press(for: taken) } }
          let rested = ended.advanced(by: began.duration(to: ended) * Self.rest)
          do {
            try await clock.sleep(until: max(began.advanced(by: Self.interval), rested))
          } catch {
            break
          }
        }
        group.cancelAll()
      }
    }
  }
}

extension CaptureEvent {
  /// Whether the event is of a press that the service did not make itself.
  fileprivate var isOthersPress: Bool {
    if case .press(let record) = self { return record.press.source != .handsFree }
    return false
  }
}
