import API
import Console
import Foundation
import TestSupport
import Testing

extension ServerTests {
  /// The paths below `/v1/tests` and `/v1/targets`.
  @Suite(.timeLimit(.minutes(10))) struct TestRoutesTests {
    private func post(
      _ path: String, _ body: String?, on server: RunningServer
    ) async throws -> CurlAnswer {
      try await CurlAnswer.get(
        path, on: server, ["-X", "POST"] + (body.map { ["-d", $0] } ?? []))
    }

    @Test(
      arguments: [
        ("button", nil, 200), ("button", "{}", 200),
        ("button", #"{"button": "shutter", "seconds": 120, "presses": 20}"#, 200),
        ("button", #"{"seconds": 0}"#, 400), ("button", #"{"seconds": 121}"#, 400),
        ("button", #"{"presses": 21}"#, 400), ("button", #"{"seconds": 1.5}"#, 400),
        ("button", #"{"seconds": null}"#, 400), ("button", #"{"color": 1}"#, 400),
        ("button", "[]", 400), ("button", "{", 400),
        ("light", nil, 400), ("light", "{}", 400), ("light", #"{"light": "ready"}"#, 200),
        ("light", #"{"light": "ready", "seconds": 61}"#, 400), ("light", #"{"light": 1}"#, 400),
        ("accelerometer", nil, 200), ("accelerometer", #"{"seconds": 31}"#, 400),
        ("storage", #"{"mebibytes": 64}"#, 200), ("storage", #"{"mebibytes": 65}"#, 400),
        ("storage", #"{"mebibytes": 99999999999999999999}"#, 400),
      ] as [(String, String?, Int)])
    func `the parameters of a test have limits`(_ known: (String, String?, Int)) async throws {
      try await withServer(FakeRig()) { server in
        let answer = try await post("/v1/tests/\(known.0)", known.1, on: server)
        #expect(answer.status == known.2, "\(answer.body)")
        guard known.2 != 200 else { return }
        let error = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8).error
        #expect(error.code == .invalidRequest)
      }
    }

    @Test func `reports arrive unchanged`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let button = try await server.client.call(
          Operations.testButton, ButtonTestRequest(presses: 2))
        #expect(button == TestSamples.button)
        let storage = try await server.client.call(
          Operations.testStorage, StorageTestRequest(mebibytes: 1))
        #expect(storage == TestSamples.storage)
        let accelerometer = try await server.client.call(
          Operations.testAccelerometer, AccelerometerTestRequest())
        #expect(accelerometer == TestSamples.accelerometer)
      }
      #expect(rig.tests.buttonRequests == [ButtonTestRequest(presses: 2)])
    }

    @Test func `a test beside another one is a conflict`() async throws {
      let rig = FakeRig()
      rig.editTests { $0.failure = APIError(.conflict, "A test of the button goes on.") }
      try await withServer(rig) { server in
        for part in ["button", "accelerometer", "storage"] {
          let answer = try await post("/v1/tests/\(part)", nil, on: server)
          #expect(answer.status == 409 && answer.body.contains("\"conflict\""))
        }
      }
    }

    @Test func `a client that leaves ends the test`() async throws {
      let (rig, log) = (FakeRig(), MemoryAuditLog())
      rig.editTests { $0.holdsLight = true }
      try await withServer(rig, auditLog: log) { server in
        let test = Task {
          try await server.client.call(
            Operations.testLight, LightTestRequest(light: "ready", seconds: 60))
        }
        var entries = rig.entered.makeAsyncIterator()
        await entries.next()
        test.cancel()
        let result = await test.result
        #expect(throws: RigClientError.self) { try result.get() }
        await entries.next()
        #expect(rig.tests.abandonedLights == 1)
        // The audit log has the test as begun and as ended.
        try await eventually { log.notes.count >= 2 }
        #expect(log.notes.map(\.stage) == [.began, .ended])
      }
    }

    @Test func `the end of the service ends the test`() async throws {
      let rig = FakeRig()
      rig.editTests { $0.holdsLight = true }
      // Grace and idle timeout are longer than the time limit of these tests.
      let result = try await withServer(
        rig,
        edit: {
          $0.shutdownGrace = .seconds(3600)
          $0.idleTimeout = .seconds(3600)
        }
      ) { server in
        let test = Task {
          try await server.client.call(
            Operations.testLight, LightTestRequest(light: "ready", seconds: 60))
        }
        for await _ in rig.entered { break }
        await server.stop()
        return await test.result
      }
      #expect(rig.tests.abandonedLights == 1)
      #expect(throws: RigClientError.self) { try result.get() }
    }

    @Test func `targets are retried, paused and resumed`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let all = try await server.client.call(Operations.retryTargets, TargetRetryRequest())
        #expect(all.targets == ["archive"])
        let unknown = try await post("/v1/targets/retry", #"{"target": "moon"}"#, on: server)
        #expect(unknown.status == 404)
        let paused = try await server.client.call(Operations.pauseUploads)
        #expect(paused.arePaused && rig.tests.areUploadsPaused)
        let resumed = try await server.client.call(Operations.resumeUploads)
        #expect(!resumed.arePaused && !rig.tests.areUploadsPaused)
        let strange = try await post("/v1/targets/pause", #"{"for": 1}"#, on: server)
        #expect(strange.status == 400)
      }
      #expect(rig.tests.retriedTargets == [nil, "moon"])
    }
  }
}
