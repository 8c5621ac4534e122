import Testing

@testable import CameraHost

/// The decision which frames are leased to map their buffers.
@Suite struct UnmappedBuffersTests {
  /// Returns the buffers that are seen until no frame is leased any more.
  ///
  /// - Parameter step: the number of frames that come during a lease, 1 or more.
  private func seen(of count: Int, step: Int) -> Set<Int> {
    var buffers = UnmappedBuffers(camera: 1, count: count)
    var seen: Set<Int> = []
    var frame = 0
    while frame < 1000 {
      if buffers.begin() {
        let isNew = seen.insert(frame % count).inserted
        frame += step - 1
        buffers.end(broughtBuffer: isNew)
      }
      frame += 1
    }
    return buffers.begin() ? [] : seen
  }

  @Test func `one frame is leased at a time`() {
    var buffers = UnmappedBuffers(camera: 1, count: 3)
    let begun = [buffers.begin(), buffers.begin()]
    buffers.end(broughtBuffer: true)
    #expect(begun + [buffers.begin()] == [true, false, true])
  }

  @Test(arguments: [1, 2, 3, 4, 8], [3, 4, 8, 12]) func `all buffers are seen, and then no more`(
    step: Int, count: Int
  ) {
    #expect(seen(of: count, step: step) == Set(0..<count))
  }
}
