import Devices
import Foundation
import TestSupport
import Testing

@testable import API

extension ServerTests {
  /// The stream of pictures and the loupe, asked by curl.
  @Suite(.timeLimit(.minutes(10))) struct PreviewStreamTests {
    private typealias Part = (headers: [String: String], body: [UInt8])

    /// Returns the head of an answer and its bytes.
    private func curl(
      _ path: String, on server: RunningServer
    ) async throws -> (head: String, body: [UInt8]) {
      let tool = try await Tool.run(
        "/usr/bin/curl",
        ["-sS", "-N", "-i", "--unix-socket", server.socketPath, "http://localhost" + path])
      let end = try #require(
        tool.outputData.range(of: Data("\r\n\r\n".utf8)), "\(tool.complaint)")
      return (
        String(decoding: tool.outputData[..<end.lowerBound], as: UTF8.self).lowercased(),
        Array(tool.outputData[end.upperBound...])
      )
    }

    /// Splits a stream that has ended, each part by its length, as the page does.
    private func parts(_ bytes: [UInt8]) throws -> [Part] {
      let delimiter = Array("\r\n--platen-picture\r\n".utf8)
      var rest = (Array("\r\n".utf8) + bytes)[...]
      var parts: [Part] = []
      while true {
        try #require(rest.starts(with: delimiter))
        rest = rest.dropFirst(delimiter.count)
        if rest.isEmpty { return parts }
        var headers: [String: String] = [:]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          rest = rest[(end + 1)...]
          let words = line.split(separator: ":", maxSplits: 1)
          guard words.count == 2 else { break }
          headers[String(words[0])] = words[1].trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let length = try #require(headers["Content-Length"].flatMap { Int($0) })
        parts.append((headers, Array(rest.prefix(length))))
        rest = rest.dropFirst(length)
      }
    }

    @Test func `each picture is a part with its facts`() async throws {
      let rig = FakeRig()
      rig.editAlignment { $0.pictureCount = 3 }
      let answer = try await withServer(rig) { server in
        async let answer = curl("/v1/preview/stream?width=640&height=480&fps=30", on: server)
        try await eventually { rig.alignment.wantedPictures == 4 }
        // The stream ends with the service.
        await server.stop()
        return try await answer
      }
      #expect(answer.head.hasPrefix("http/1.1 200"))
      #expect(
        answer.head.contains("content-type: multipart/x-mixed-replace; boundary=platen-picture"))
      #expect(answer.head.contains("cache-control: no-store"))
      let parts = try parts(answer.body)
      #expect(parts.map { $0.body } == (1...3).map { AlignmentSamples.picture(number: $0).jpeg })
      let last = try #require(parts.last)
      #expect(
        last.headers == [
          "Content-Type": "image/jpeg", "Content-Length": "\(last.body.count)",
          "X-Platen-Frame": "3", "X-Platen-Sensor-Time": "5000000003", "X-Platen-Angle": "90",
          "X-Platen-Mirrored": "false", "X-Platen-Sharpness": "0.1875",
          "X-Platen-Exposure": "9500", "X-Platen-Gain": "1.25",
        ])
      #expect(parts.first?.headers["X-Platen-Gain"] == nil)
      #expect(rig.alignment.streams == [PreviewStreamRequest(width: 640, height: 480, fps: 30)])
    }

    @Test(arguments: [
      "stream?width=63", "stream?height=1921", "stream?fps=0", "stream?fps=31", "stream?fps=1.5",
      "stream?quality=1", "loupe?x=-1", "loupe?y=1001", "loupe?width=15", "loupe?height=1025",
      "loupe?x=half", "loupe?z=1",
    ])
    func `an invalid request is refused`(_ query: String) async throws {
      let rig = FakeRig()
      let status = try await withServer(rig) { server in
        try await CurlAnswer.get("/v1/preview/" + query, on: server).status
      }
      #expect(status == 400)
      #expect(rig.alignment.streams.isEmpty && rig.alignment.loupes.isEmpty)
    }

    @Test(arguments: ["stream", "loupe"])
    func `a refusal comes in place of the first picture`(_ path: String) async throws {
      let rig = FakeRig()
      rig.editAlignment {
        $0.previewFailure = APIError(.unavailable, "There is no preview while the rig is too hot.")
      }
      let answer = try await withServer(rig) { server in
        try await CurlAnswer.get("/v1/preview/" + path, on: server)
      }
      #expect(answer.status == 503 && answer.contentType == "application/json")
      #expect(answer.body.contains("too hot"))
    }

    @Test func `a first picture that does not come frees the viewer's place`() async throws {
      let rig = FakeRig()
      rig.editAlignment { $0.pictureCount = 0 }
      let clock = ManualClock()
      try await withServer(rig, clock: clock, edit: { $0.maximumViewers = 1 }) { server in
        for attempt in 1...2 {
          async let answer = CurlAnswer.get("/v1/preview/stream", on: server)
          try await eventually { rig.alignment.wantedPictures == attempt }
          #expect(rig.alignment.stoppedViewers == 2 * (attempt - 1))
          clock.advance(by: .seconds(10))
          let refused = try await answer
          #expect(refused.status == 503 && refused.body.contains("No picture came"))
          // The viewer is stopped by the limit, and once more by its end.
          try await eventually { rig.alignment.stoppedViewers == 2 * attempt }
        }
      }
    }

    @Test func `a first picture ends the wait for it`() async throws {
      let rig = FakeRig()
      rig.editAlignment { $0.pictureCount = 1 }
      let clock = ManualClock()
      try await withServer(rig, clock: clock) { server in
        let viewer = try RawConnection(to: server.socketPath)
        viewer.send("GET /v1/preview/stream HTTP/1.1\r\nHost: rig\r\n\r\n")
        try await eventually { rig.alignment.wantedPictures == 2 && clock.sleeperCount == 0 }
        clock.advance(by: .seconds(10))
        #expect(rig.alignment.stoppedViewers == 0)
        withExtendedLifetime(viewer) {}
      }
    }

    /// A picture is larger than all buffers on the way, so the second one waits for the reader.
    @Test func `a viewer that does not read wants few pictures and is cut off`() async throws {
      let rig = FakeRig()
      rig.editAlignment { $0.pictureBytes = 4 << 20 }
      try await withServer(rig, edit: { $0.unreadTimeout = .milliseconds(200) }) { server in
        let reader = try RawConnection(to: server.socketPath)
        reader.send("GET /v1/preview/stream HTTP/1.1\r\nHost: rig\r\n\r\n")
        try await eventually { rig.alignment.stoppedViewers > 0 }
        withExtendedLifetime(reader) {}
      }
      #expect(rig.alignment.wantedPictures <= 2)
    }

    @Test func `a viewer that leaves ends its part`() async throws {
      let rig = FakeRig()
      rig.editAlignment { $0.pictureCount = 1 }
      try await withServer(rig) { server in
        var viewer: RawConnection? = try RawConnection(to: server.socketPath)
        viewer?.send("GET /v1/preview/stream HTTP/1.1\r\nHost: rig\r\n\r\n")
        try await eventually { rig.alignment.wantedPictures == 2 }
        #expect(rig.alignment.stoppedViewers == 0)
        viewer = nil
        try await eventually { rig.alignment.stoppedViewers > 0 }
      }
    }

    @Test func `a viewer too many is refused`() async throws {
      let rig = FakeRig()
      rig.editAlignment { $0.pictureCount = 1 }
      try await withServer(rig, edit: { $0.maximumViewers = 1 }) { server in
        let first = try RawConnection(to: server.socketPath)
        first.send("GET /v1/preview/stream HTTP/1.1\r\nHost: rig\r\n\r\n")
        try await eventually { rig.alignment.wantedPictures == 2 }
        let refused = try await CurlAnswer.get("/v1/preview/stream", on: server)
        #expect(refused.status == 503)
        let error = try APICoding.decode(ErrorEnvelope.self, from: refused.body.utf8).error
        #expect(error.code == .tooManyListeners)
        #expect(error.message.hasPrefix("1 viewer watches the preview already"))
        withExtendedLifetime(first) {}
      }
    }

    @Test func `a loupe has its facts in its headers`() async throws {
      let rig = FakeRig()
      let answer = try await withServer(rig) { server in
        try await curl("/v1/preview/loupe?x=0&y=1000&width=16&height=1024", on: server)
      }
      let picture = AlignmentSamples.picture(number: 7)
      #expect(answer.body == picture.jpeg)
      for field in picture.fields {
        #expect(answer.head.contains("\(field.name): \(field.value)".lowercased()), "\(field.name)")
      }
      #expect(answer.head.contains("content-type: image/jpeg"))
      #expect(rig.alignment.loupes == [LoupeRequest(x: 0, y: 1000, width: 16, height: 1024)])
    }
  }
}

/// The places of viewers.
@Suite struct PreviewPlacesTests {
  private func caller(_ name: String) -> Caller {
    Caller(account: .token(name), name: name, granted: .read, origin: .network(address: "::1"))
  }

  @Test func `one account holds at most half of the places`() throws {
    let places = PreviewPlaces(maximum: 4, owners: [.token("owner")])
    var held = [
      try places.enter(caller("office")), try places.enter(caller("office")),
    ]
    #expect(throws: APIError.self) { try places.enter(caller("office")) }
    held.append(try places.enter(caller("fleet")))
    held.append(try places.enter(caller("owner")))
    #expect(places.count == 4)
    #expect(throws: APIError.self) { try places.enter(caller("owner")) }
    held.removeAll()
    #expect(places.count == 0)
  }
}
