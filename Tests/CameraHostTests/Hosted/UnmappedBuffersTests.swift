import Testing

@testable import CameraHost

/// The decision which frames are leased to map their buffers.
@Suite struct UnmappedBuffersTests {
  /// Returns whether each lease may begin, and whether one more may, by the news of the leases.
  private func begun(_ news: [Bool?]) -> [Bool] {
    var buffers = UnmappedBuffers(camera: 1, count: 3, frame: .milliseconds(40))
    var begun: [Bool] = []
    for broughtBuffer in news {
      begun.append(buffers.begin())
      buffers.end(broughtBuffer: broughtBuffer)
    }
    return begun + [buffers.begin()]
  }

  @Test func `one frame is leased at a time`() {
    var buffers = UnmappedBuffers(camera: 1, count: 3, frame: .milliseconds(40))
    let begun = [buffers.begin(), buffers.begin()]
    buffers.end(broughtBuffer: true)
    #expect(begun + [buffers.begin()] == [true, false, true])
  }

  @Test func `leases end when no buffer has been new for a whole ring`() {
    #expect(!begun([false, false, true, false, false]).contains(false))
    #expect(begun([false, false, true, false, false, false]).last == false)
  }

  @Test func `a frame that is gone says nothing of its buffer`() {
    #expect(!begun(Array(repeating: nil, count: 9)).contains(false))
  }
}
