/// The memory of one plane, which is kept from picture to picture and grows on demand.
struct ScratchBuffer: ~Copyable {
  private var storage = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

  /// Returns memory for at least `count` bytes, with unspecified contents.
  ///
  /// The pointer is valid until the next call or the end of the buffer.
  mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if let start = storage.baseAddress, storage.count >= count { return start }
    storage.deallocate()
    let start = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
    start.initialize(repeating: 0, count: max(count, 1))
    storage = UnsafeMutableBufferPointer(start: start, count: max(count, 1))
    return start
  }

  deinit {
    storage.deallocate()
  }
}
