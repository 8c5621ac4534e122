import Hummingbird
import NIOCore

/// The path of the figures for Prometheus.
extension APIRoutes {
  var metricsRoutes: [Route] {
    [Route(.get, "/metrics", .read, metrics)]
  }

  private func metrics(_ request: Request, _ context: APIContext) async throws -> Response {
    try refuseQuery(of: request, except: [])
    let status = await service.status()
    let counters = RigMetrics.Counters(
      answersByClass: counter.answersByClass, listeners: feed.listenerCount + logFeed.listenerCount,
      maximumListeners: feed.maximumListeners + logFeed.maximumListeners,
      droppedEvents: feed.droppedCount + logFeed.droppedCount)
    let text = RigMetrics(status: status, counters: counters).text
    return Response(
      status: .ok,
      headers: [.contentType: MetricsText.mediaType, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
