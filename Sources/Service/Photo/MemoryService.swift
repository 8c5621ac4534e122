import CameraHost
import Devices
import Dispatch
import ServiceLifecycle
import Spool

/// The service that gives the memory of pictures back to the kernel when no more of them come.
///
/// The allocator keeps what one picture has freed for the next one: some megabytes at 1080p, and
/// more with more pixels. A memory page that was given back costs the next picture a page fault.
struct MemoryService: Service {
  /// The time without a picture after which memory is given back.
  static let quietTime = Duration.seconds(5)

  let spool: Spool
  let clock: any MonotonicClock
  /// A function that gives freed memory back.
  var giveBack: @Sendable () -> Void = { ProcessMemory.giveBackFreed() }

  func run() async {
    let events = await spool.events()
    let timer = clock.makeTimer(
      on: DispatchQueue(label: "platen.memory"), handler: giveBack)
    await cancelWhenGracefulShutdown {
      for await event in events {
        switch event {
        case .stored, .replaced:
          timer.set(to: clock.now.advanced(by: Self.quietTime), period: nil)
        default: break
        }
      }
    }
    timer.cancel()
    // A service that returns would end all others.
    try? await gracefulShutdown()
  }
}
