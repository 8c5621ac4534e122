import Testing
import Transfer

@testable import Upload

@Suite struct BandwidthShareTests {
  @Test(arguments: [(0, 1000), (1, 1000), (2, 500), (3, 333), (8, 125)])
  func `the running deliveries divide the bandwidth`(running: Int, share: Int64) {
    let bandwidth = BandwidthShare(bytesPerSecond: 1000)
    bandwidth.set(running: running)
    #expect(bandwidth.share == share)
  }

  @Test func `a share is never zero`() {
    let bandwidth = BandwidthShare(bytesPerSecond: 3)
    bandwidth.set(running: 8)
    #expect(bandwidth.share == 1)
  }

  @Test func `each request asks for its share`() {
    let bandwidth = BandwidthShare(bytesPerSecond: 1000)
    var settings = HTTPSettings(minimumBytesPerSecond: 4000, answerTimeout: .seconds(60))
    settings.bandwidth = bandwidth
    bandwidth.set(running: 4)
    let request = settings.request("PUT", "http://host/", byteCount: 10_000)
    #expect(request.maximumBytesPerSecond == 250)
    #expect(request.totalTimeout == .seconds(140), "twice the time of its bytes at that rate")
    // A burst of 16 KiB takes over a minute at that rate, and is no stall.
    #expect(request.stallTimeout > .seconds(4 * 65))
    bandwidth.set(running: 1)
    #expect(settings.request("PUT", "http://host/").maximumBytesPerSecond == 1000)
    settings.bandwidth = nil
    #expect(settings.request("PUT", "http://host/").maximumBytesPerSecond == nil)
    #expect(settings.request("PUT", "http://host/").stallTimeout == .seconds(30))
  }
}
