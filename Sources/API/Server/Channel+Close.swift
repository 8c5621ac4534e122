import NIOCore

extension Channel {
  /// Closes the connection after a time, whether its caller has read the rest or not.
  func close(after time: TimeAmount) {
    eventLoop.scheduleTask(in: time) { self.close(promise: nil) }
  }
}
