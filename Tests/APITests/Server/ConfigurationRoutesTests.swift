import API
import Console
import Testing

extension ServerTests {
  @Suite struct ConfigurationRoutesTests {
    @Test func `reports on configuration, network and time arrive unchanged`() async throws {
      try await withServer(FakeRig()) { server in
        let client = server.client
        let report = try await client.call(Operations.configurationFile)
        #expect(report == ConfigurationSamples.report)
        let declarations = try await client.call(Operations.declarations)
        #expect(declarations == ConfigurationSamples.declarations)
        let history = try await client.call(Operations.configurationHistory)
        #expect(history == ConfigurationSamples.history)
        let difference = try await client.call(
          Operations.configurationDifference, ConfigurationVersion(0))
        #expect(difference.entry == ConfigurationSamples.history.entries.last)
        let (network, time) = (
          try await client.call(Operations.network), try await client.call(Operations.time)
        )
        #expect(network == ConfigurationSamples.network)
        #expect(time == ConfigurationSamples.time)
      }
    }

    @Test func `changes and rollbacks arrive unchanged`() async throws {
      let rig = FakeRig()
      let change = ConfigurationChange(
        set: ["camera.frame_rate": "25", "log.level": "debug"], ifHash: "ab")
      try await withServer(rig) { server in
        let client = server.client
        let report = try await client.call(Operations.changeConfiguration, change)
        #expect(report == ConfigurationSamples.change)
        _ = try await client.call(Operations.rollBackConfiguration, ConfigurationRollback(to: 3))
        _ = try await client.call(Operations.rollBackConfiguration, ConfigurationRollback())
        let text = "rig: { id: \"ö\" }\ncolor: red\n"
        let check = try await client.call(
          Operations.checkConfiguration, ConfigurationCheckRequest(text))
        #expect(check.issues.count == 1)
        #expect(rig.configuration.checked == [text])
      }
      #expect(rig.configuration.changes == [change])
      #expect(
        rig.configuration.rollbacks == [ConfigurationRollback(to: 3), ConfigurationRollback()])
    }

    @Test func `a file that has changed meanwhile is a conflict`() async throws {
      let rig = FakeRig()
      let error = APIError(.configurationChanged, "\"platen.yaml\" was changed meanwhile.")
      rig.editConfiguration { $0.failure = error }
      try await withServer(rig) { server in
        let answer = try await CurlAnswer.get(
          "/v1/configuration", on: server, ["-X", "PATCH", "-d", #"{"set":{"a":"1"}}"#])
        #expect(answer.status == 409)
        let envelope = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8)
        #expect(envelope.error == error)
      }
    }

    /// Method, path and body of requests that must be refused with 400, and a word of the reason.
    static let refusals: [(String, String, String, String)] = [
      ("PATCH", "/v1/configuration", "{}", "set"),
      ("PATCH", "/v1/configuration", #"{"set":{}}"#, "1 to 64"),
      ("PATCH", "/v1/configuration", #"{"set":{"a":1}}"#, "wrong type"),
      ("PATCH", "/v1/configuration", #"{"set":{"a":"1"},"force":true}"#, "force"),
      ("PATCH", "/v1/configuration", #"{"set":{"a":"1"},"ifHash":null}"#, "null"),
      ("PATCH", "/v1/configuration?x=1", #"{"set":{"a":"1"}}"#, "x"),
      ("POST", "/v1/configuration/rollback", #"{"number":1}"#, "number"),
      ("POST", "/v1/configuration/check", "rig: 1", "JSON"),
      ("POST", "/v1/configuration/check", #"{"text":"a"}"#, "wrong type"),
      ("GET", "/v1/configuration/history/-1", "", "0 or more"),
      ("GET", "/v1/configuration/history/x", "", "0 or more"),
      ("GET", "/v1/network?probe=no", "", "probe"), ("GET", "/v1/time?utc=1", "", "utc"),
    ]

    @Test(arguments: refusals)
    func `an invalid request is refused with its reason`(
      _ method: String, _ path: String, _ body: String, _ word: String
    ) async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let answer = try await CurlAnswer.get(
          path, on: server, ["-X", method] + (body.isEmpty ? [] : ["-d", body]))
        #expect(answer.status == 400, "\(answer.body)")
        #expect(answer.body.contains(word), "\(answer.body)")
      }
      #expect(rig.configuration.changes.isEmpty && rig.configuration.rollbacks.isEmpty)
    }

    @Test func `a missing history entry is not found`() async throws {
      try await withServer(FakeRig()) { server in
        let answer = try await CurlAnswer.get("/v1/configuration/history/9", on: server)
        #expect(answer.status == 404)
      }
    }
  }
}
