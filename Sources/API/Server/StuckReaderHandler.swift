import Foundation
import NIOCore
import Synchronization

/// A handler that closes a connection whose other end reads its answer too slowly or not at all.
///
/// The connection would otherwise hold its place, and the memory of the answer, for ever.
final class StuckReaderHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  private let timeout: Duration
  private let leastRate: Int
  private var watch: RepeatedTask?

  /// Makes the handler of one connection.
  ///
  /// - Parameters:
  ///   - timeout: the time over which the answer has to be read at the least rate.
  ///   - leastRate: the bytes a second that have to be read.
  init(timeout: Duration, leastRate: Int) {
    self.timeout = timeout
    self.leastRate = leastRate
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    watch?.cancel()
    watch = context.channel.isWritable ? nil : Self.watch(context.channel, timeout, leastRate)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    watch?.cancel()
    watch = nil
    context.fireChannelInactive()
  }

  private static func watch(
    _ channel: any Channel, _ timeout: Duration, _ leastRate: Int
  ) -> RepeatedTask {
    let meter = Mutex(
      DrainMeter(left: unread(channel), leastRate: leastRate, interval: timeout))
    let delay = TimeAmount(timeout)
    return channel.eventLoop.scheduleRepeatedTask(initialDelay: delay, delay: delay) { task in
      let left = unread(channel)
      guard !meter.withLock({ $0.look(left: left) }) else { return }
      task.cancel()
      channel.close(promise: nil)
    }
  }

  /// Returns the number of bytes that were written and not read yet.
  private static func unread(_ channel: any Channel) -> Int {
    let here = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let inKernel = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self
    ) { unreadInKernel($0) }
    return here + Int(inKernel ?? 0)
  }

  /// Returns the number of bytes left in the kernel (`ioctl`, `SIOCOUTQ`, also `TIOCOUTQ`).
  ///
  /// The kernel takes more bytes only when most of its own were read. Without this number, the
  /// progress of a slow reader would stay hidden for a long time.
  private static func unreadInKernel(_ socket: NIOBSDSocket.Handle) -> Int32 {
    var bytes: Int32 = 0
    return ioctl(socket, UInt(TIOCOUTQ), &bytes) == 0 ? bytes : 0
  }
}
