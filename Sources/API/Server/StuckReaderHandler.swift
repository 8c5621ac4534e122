import Foundation
import NIOCore
import Synchronization

/// Closes a connection whose other end does not read its answer, or hardly: it would hold its
/// place, and the memory that the answer takes, for ever.
final class StuckReaderHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  private let patience: Duration
  private let leastRate: Int
  private var watch: RepeatedTask?

  /// Makes the handler of one connection.
  ///
  /// - Parameters:
  ///   - patience: over which time what was written has to be read at the least rate.
  ///   - leastRate: how many bytes a second have to be read.
  init(patience: Duration, leastRate: Int) {
    self.patience = patience
    self.leastRate = leastRate
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    watch?.cancel()
    watch = context.channel.isWritable ? nil : Self.watch(context.channel, patience, leastRate)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    watch?.cancel()
    watch = nil
    context.fireChannelInactive()
  }

  private static func watch(
    _ channel: any Channel, _ patience: Duration, _ leastRate: Int
  ) -> RepeatedTask {
    let meter = Mutex(
      DrainMeter(left: unread(channel), leastRate: leastRate, interval: patience))
    let delay = TimeAmount(patience)
    return channel.eventLoop.scheduleRepeatedTask(initialDelay: delay, delay: delay) { task in
      let left = unread(channel)
      guard !meter.withLock({ $0.look(left: left) }) else { return }
      task.cancel()
      channel.close(promise: nil)
    }
  }

  /// How many bytes were written and not read yet.
  private static func unread(_ channel: any Channel) -> Int {
    let here = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let inKernel = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self
    ) { unreadInKernel($0) }
    return here + Int(inKernel ?? 0)
  }

  /// How many bytes the kernel has still (`ioctl`, `SIOCOUTQ`, which is `TIOCOUTQ` as well).
  ///
  /// It takes more from us only when most of what it has was read: of a slow reader nothing would
  /// be seen for a long time.
  private static func unreadInKernel(_ socket: NIOBSDSocket.Handle) -> Int32 {
    var bytes: Int32 = 0
    return ioctl(socket, UInt(TIOCOUTQ), &bytes) == 0 ? bytes : 0
  }
}
