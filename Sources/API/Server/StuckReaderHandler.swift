import NIOCore
import Synchronization

/// Closes a connection whose other end does not read its answer, which would hold its place for ever.
final class StuckReaderHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  private let patience: TimeAmount
  private var watch: RepeatedTask?

  /// Makes the handler of one connection.
  ///
  /// - Parameter patience: how long what was written may lie there without any of it being read.
  init(patience: TimeAmount) { self.patience = patience }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    watch?.cancel()
    watch = context.channel.isWritable ? nil : Self.watch(context.channel, patience)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    watch?.cancel()
    watch = nil
    context.fireChannelInactive()
  }

  /// Of a slow reader the kernel takes something between two looks: its own buffer, which is tens of
  /// kilobytes to some megabytes over TCP, is emptied in the meantime.
  private static func watch(_ channel: any Channel, _ patience: TimeAmount) -> RepeatedTask {
    let least = Mutex(unread(channel))
    return channel.eventLoop.scheduleRepeatedTask(initialDelay: patience, delay: patience) { task in
      let now = unread(channel)
      let isRead = least.withLock { least in
        defer { least = now }
        return now < least
      }
      guard !isRead else { return }
      task.cancel()
      channel.close(promise: nil)
    }
  }

  /// How many bytes were written and not taken by the kernel yet.
  private static func unread(_ channel: any Channel) -> Int {
    (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }
}
