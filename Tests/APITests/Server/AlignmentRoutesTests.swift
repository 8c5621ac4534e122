import API
import Console
import Devices
import Testing

extension ServerTests {
  @Suite struct AlignmentRoutesTests {
    @Test func `a preview arrives unchanged in the requested form`() async throws {
      let rig = FakeRig()
      let sizes = [
        PreviewSize(), PreviewSize(width: 320, height: 8, pixelAspect: 0.5),
      ]
      try await withServer(rig) { server in
        for size in sizes {
          let report = try await server.client.call(Operations.preview, size)
          #expect(report == AlignmentSamples.preview)
          #expect(report.samples?.count == 64)
        }
        let answer = try await CurlAnswer.get("/v1/preview", on: server)
        #expect(answer.status == 200)
      }
      #expect(rig.alignment.sizes == sizes + [PreviewSize()])
    }

    @Test(arguments: [
      "?width=7", "?width=321", "?width=", "?height=1e2", "?height=-8", "?pixelAspect=0",
      "?pixelAspect=nan", "?pixelAspect=11", "?size=10", "?width=10&quality=1",
    ])
    func `an invalid size is refused`(_ query: String) async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let answer = try await CurlAnswer.get("/v1/preview" + query, on: server)
        #expect(answer.status == 400)
        let error = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8).error
        #expect(error.code == .invalidRequest)
      }
      #expect(rig.alignment.sizes.isEmpty)
    }

    @Test func `a refusal keeps its code`() async throws {
      let rig = FakeRig()
      rig.editAlignment {
        $0.previewFailure = APIError(.conflict, "There is no preview because: cameraUnplugged.")
      }
      try await withServer(rig) { server in
        let answer = try await CurlAnswer.get("/v1/preview", on: server)
        #expect(answer.status == 409)
        let error = await #expect(throws: RigClientError.self) {
          try await server.client.call(Operations.preview, PreviewSize())
        }
        guard case .refused(let cause)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(cause.code == .conflict)
      }
    }

    @Test func `the page arrives unchanged and with the words of its warnings`() async throws {
      try await withServer(FakeRig()) { server in
        let report = try await server.client.call(Operations.previewPage)
        #expect(report == AlignmentSamples.page)
        #expect(report.warnings.map(\.code) == ["pageCutOff"])
        #expect(report.warnings.map(\.meaning) == [PageWarning.pageCutOff.facts.meaning])
        let answer = try await CurlAnswer.get("/v1/preview/page?width=8", on: server)
        #expect(answer.status == 400)
      }
    }

    @Test func `the accelerometer's report arrives unchanged`() async throws {
      try await withServer(FakeRig()) { server in
        let report = try await server.client.call(Operations.accelerometer)
        #expect(report == AlignmentSamples.accelerometer)
        let answer = try await CurlAnswer.get("/v1/accelerometer?raw=1", on: server)
        #expect(answer.status == 400)
      }
    }

    @Test func `an invalid reading is omitted`() {
      for axes in [[1.0, 2], [1, 2, .nan], []] {
        let reading = AccelerometerReport.Reading(
          timeNanoseconds: 1, ageMilliseconds: 1, sensor: axes, rig: [0, 0, 9.8])
        let report = AccelerometerReport(state: "ok", captureAngle: 0, reading: reading)
        #expect(report.reading == nil)
      }
    }
  }
}
