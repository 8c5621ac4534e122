import Devices
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The preview for viewers: the stream of pictures, and the loupe.
extension APIRoutes {
  /// Returns an answer of pictures that goes on until the viewer leaves or no pictures come.
  ///
  /// The first picture is awaited before the answer begins, so that a refusal is an error with its
  /// reason.
  func previewStream(_ request: Request, _ context: APIContext) async throws -> Response {
    let wanted = try PreviewStreamRequest(
      EndpointRequest(parameters: try parameters(Operations.previewStream, request, context)))
    let place = try previewPlaces.enter(context.caller)
    let viewer = try service.watchPreview(wanted)
    let first = try await firstPicture(of: viewer)
    // The kernel would otherwise keep many pictures for a slow viewer, all of them old.
    try? await context.channel.setOption(.socketOption(.so_sndbuf), value: viewerBufferBytes).get()
    return endlessAnswer(
      PreviewPicture.streamMediaType, request, context, whenClosed: { viewer.stop() },
      whenStopping: { viewer.stop() }
    ) {
      try await relay(first, then: viewer, to: &$0)
      withExtendedLifetime(place) {}
    }
  }

  /// Waits for a viewer's first picture, for a limited time.
  ///
  /// Before the answer begins, nothing tells that the viewer has left. A camera that hangs would
  /// otherwise keep the viewer's place.
  private func firstPicture(of viewer: any PreviewViewer) async throws -> PreviewPicture {
    let deadline = clock.now.advanced(by: firstPictureTimeout)
    let limit = Task<Void, any Error> { [clock] in
      try await clock.sleep(until: deadline)
      viewer.stop()
    }
    defer { limit.cancel() }
    let first = try await withGracefulShutdownHandler {
      try await viewer.next()
    } onGracefulShutdown: {
      viewer.stop()
    }
    if let first { return first }
    limit.cancel()
    guard case .success = await limit.result else {
      throw APIError(.unavailable, "The service is shutting down.")
    }
    throw APIError(.unavailable, "No picture came; the camera may not answer.")
  }

  func loupe(_ request: Request, _ context: APIContext) async throws -> Response {
    let wanted = try LoupeRequest(
      EndpointRequest(parameters: try parameters(Operations.loupe, request, context)))
    let picture = try await service.loupe(wanted)
    var response = Response(
      status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.jpeg)))
    for field in picture.fields { response.headers.set(field.name, field.value) }
    return response
  }
}

/// The longest wait for a viewer's first picture.
private let firstPictureTimeout = Duration.seconds(10)

/// The bytes of pictures that the kernel keeps for a viewer; the kernel doubles the number.
private let viewerBufferBytes: SocketOptionValue = 64 * 1024

/// Writes pictures, each as soon as the one before is on its way, until the viewer is stopped.
///
/// The delimiter is written after each picture, so that a reader need not wait for the next one. The
/// delimiter waits until the picture is in the kernel. Only then the viewer wants another picture.
@concurrent private func relay(
  _ first: PreviewPicture, then viewer: any PreviewViewer, to writer: inout any ResponseBodyWriter
) async throws {
  let delimiter = ByteBuffer(string: PreviewPicture.delimiter)
  try await writer.write(ByteBuffer(string: PreviewPicture.beginning))
  var next: PreviewPicture? = first
  while let picture = next {
    var part = ByteBuffer(string: picture.head)
    part.writeBytes(picture.jpeg)
    try await writer.write(part)
    try await writer.write(delimiter)
    // The reason of an end is the answer to the next request.
    next = try? await viewer.next()
  }
}
