import API
import Console
import Testing

extension ServerTests {
  @Suite struct DoctorRoutesTests {
    @Test func `the report arrives unchanged`() async throws {
      try await withServer(FakeRig()) { server in
        let report = try await server.client.call(Operations.examine, DoctorPartChoice())
        #expect(report.findings == DoctorSamples.findings)
        #expect(report.count(.fault) == 1 && report.count(.ok) == 1)
      }
    }

    @Test(arguments: DoctorPart.allCases)
    func `a single part is examined alone`(_ part: DoctorPart) async throws {
      try await withServer(FakeRig()) { server in
        let report = try await server.client.call(Operations.examine, DoctorPartChoice(part))
        #expect(report.findings == DoctorSamples.findings.filter { $0.part == part })
      }
    }

    @Test(arguments: ["?part=engine", "?part=", "?parts=lamp", "?part=Lamp"])
    func `an unknown part is refused`(_ query: String) async throws {
      try await withServer(FakeRig()) { server in
        let answer = try await CurlAnswer.get("/v1/doctor" + query, on: server)
        #expect(answer.status == 400)
        let envelope = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8)
        #expect(envelope.error.code == .invalidRequest)
      }
    }
  }
}
