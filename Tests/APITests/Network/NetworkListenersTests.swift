import TestSupport
import Testing
import Transfer

@testable import API

extension ServerTests {
  /// Listeners over TCP.
  @Suite(.timeLimit(.minutes(10))) struct NetworkListenersTests {
    /// All listeners come from one address here, as from behind a proxy; the token counts.
    @Test func `each token has places of its own`() async throws {
      let network = try Known.network()
      let url = "http://127.0.0.1:\(network.port)/v1/events"
      let edit: (inout APIConfiguration) -> Void = {
        $0.network = network
        $0.maximumListeners = 2
      }
      try await withServer(FakeRig(), edit: edit) { _ in
        func listen(_ token: String) -> AsyncThrowingStream<String, any Error> {
          HTTPClient(userAgent: "test").lines(
            of: HTTPRequest(url: url, headers: [HTTPHeader("Authorization", "Bearer \(token)")]))
        }
        let first = listen(Known.reader.token)
        var firstLines = first.makeAsyncIterator()
        #expect(try await firstLines.next() == ": listening")
        let refused = try await CurlHead.ask(
          ["-H", "Authorization: Bearer \(Known.reader.token)", url])
        #expect(refused.status == 503)
        let error = try APICoding.decode(ErrorEnvelope.self, from: refused.body.utf8).error
        #expect(error.code == .tooManyListeners && error.message.contains("\"fleet\""))
        let second = listen(Known.operator_.token)
        var secondLines = second.makeAsyncIterator()
        #expect(try await secondLines.next() == ": listening")
        withExtendedLifetime((first, second)) {}
      }
    }
  }
}
