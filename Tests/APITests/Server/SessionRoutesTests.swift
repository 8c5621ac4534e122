import API
import Console
import Devices
import Testing

extension ServerTests {
  @Suite struct SessionRoutesTests {
    @Test func `the session arrives unchanged`() async throws {
      try await withServer(FakeRig()) { server in
        let (session, list) = (
          try await server.client.call(Operations.session),
          try await server.client.call(Operations.interruptions)
        )
        let capabilities = try await server.client.call(Operations.sessionCapabilities)
        #expect(capabilities == SessionSamples.capabilities)
        #expect(session == SessionSamples.overview)
        #expect(list == SessionSamples.interruptions)
      }
    }

    @Test func `a change arrives unchanged`() async throws {
      let rig = FakeRig()
      var change = SessionChange()
      change.camera = "overhead"
      change.size = .custom(width: 2028, height: 1520)
      change.frameRate = .own
      change.set(.zoom) { $0.videoZoomFactor = 2 }
      change.set(.exposure) { $0.exposureMode = .custom(duration: .milliseconds(12), gain: 1.5) }
      change.set(.whiteBalance) {
        $0.whiteBalanceMode = .custom(WhiteBalanceGains(red: 1.9, blue: 1.4))
      }
      change.set(.focus) { $0.focusMode = .continuousAutoFocus }
      change.image = [.sharpness: .set(1.5), .contrast: .own]
      change.set(.flicker) { $0.flickerAvoidance = .hertz60 }
      change.prioritization = .speed
      change.fastCapture = true
      try await withServer(rig) { server in
        let overview = try await server.client.call(Operations.configureSession, change)
        #expect(overview == SessionSamples.overview)
        #expect(rig.capture.changes == [change])
      }
    }

    @Test func `every verb has its own effect`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        let client = server.client
        for _ in 0..<2 {
          _ = try await client.call(Operations.stopSession)
          _ = try await client.call(Operations.resumeSession)
          _ = try await client.call(Operations.switchCamera)
          _ = try await client.call(Operations.focusCamera, FocusRequest())
          let calibration = try await client.call(Operations.calibrateCamera)
          #expect(calibration == SessionSamples.calibration)
          let scale = try await client.call(
            Operations.measureScale, ScaleRequest(widthMillimeters: 210, heightMillimeters: 297))
          #expect(scale == SessionSamples.scale)
          _ = try await client.call(Operations.forgetCalibration)
        }
      }
      let once = ["stop", "resume", "switch", "focus", "calibrate", "scale", "forget"]
      #expect(rig.capture.calls == once + once)
    }

    @Test(arguments: [
      ("", 200), ("{}", 200), (#"{"focusPoint":{"x":0,"y":0.75}}"#, 200),
      (#"{"focusPoint":{"x":0}}"#, 400), (#"{"focusPoint":{"x":0,"y":1.01}}"#, 400),
      (#"{"focusPoint":null}"#, 400), (#"{"x":0.5,"y":0.5}"#, 400),
      (#"{"focusPoint":{"x":0,"y":0,"z":0}}"#, 400),
    ])
    func `the camera focuses on a place in the frame`(body: String, status: Int) async throws {
      let rig = FakeRig()
      let answer = try await withServer(rig) {
        try await CurlAnswer.get("/v1/session/focus", on: $0, ["-X", "POST", "-d", body])
      }
      #expect(answer.status == status, "\(answer.body)")
      let call = body.contains("0.75") ? "focus at 0.0, 0.75" : "focus"
      #expect(rig.capture.calls == (status == 200 ? [call] : []))
    }

    static let failures: [(APIError.Code, Int)] = [
      (.configurationRefused, 409), (.configurationRolledBack, 409),
      (.configurationInterrupted, 503), (.unsupported, 409), (.timedOut, 504), (.unavailable, 503),
    ]

    @Test(arguments: failures)
    func `a failure arrives with its name`(_ code: APIError.Code, _ status: Int) async throws {
      let rig = FakeRig()
      let error = APIError(code, "The session keeps its configuration: \"cam\" cannot.")
      rig.editCapture { $0.failure = error }
      try await withServer(rig) { server in
        let answer = try await CurlAnswer.get(
          "/v1/session", on: server, ["-X", "PATCH", "-d", "{\"zoom\":2}"])
        #expect(answer.status == status)
        let envelope = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8)
        #expect(envelope == ErrorEnvelope(error))
        await #expect(throws: RigClientError.refused(error)) {
          try await server.client.call(Operations.focusCamera, FocusRequest())
        }
      }
    }

    /// A body that must be refused, and a word that the refusal has to contain.
    struct Refusal: Sendable, CustomStringConvertible {
      let body: String
      let named: String
      init(_ body: String, _ named: String) { (self.body, self.named) = (body, named) }
      var description: String { body }
    }

    static let refusals: [Refusal] = [
      Refusal(#"{"zom":2}"#, "zom"),
      Refusal(#"{"zoom":null}"#, "zoom"),
      Refusal(#"{"zoom":0.5}"#, "zoom"),
      Refusal(#"{"zoom":"2"}"#, "zoom"),
      Refusal(#"{"preset":"huge"}"#, "huge"),
      Refusal(#"{"width":640}"#, "height"),
      Refusal(#"{"width":640,"height":8}"#, "height"),
      Refusal(#"{"preset":"full","width":640,"height":480}"#, "preset"),
      Refusal(#"{"frameRate":"fast"}"#, "frameRate"),
      Refusal(#"{"frameRate":0}"#, "frameRate"),
      Refusal(#"{"exposure":"dark"}"#, "dark"),
      Refusal(#"{"exposure":{"durationMicroseconds":8000}}"#, "gain"),
      Refusal(#"{"exposure":{"durationMicroseconds":0,"gain":1}}"#, "durationMicroseconds"),
      Refusal(#"{"exposure":{"durationMicroseconds":1,"gain":1,"iso":100}}"#, "iso"),
      Refusal(#"{"whiteBalance":{"red":1}}"#, "blue"),
      Refusal(#"{"whiteBalance":{"red":1,"green":1,"blue":1}}"#, "green"),
      Refusal(#"{"focus":{"diopters":-1}}"#, "diopters"),
      Refusal(#"{"focus":{"meters":1}}"#, "meters"),
      Refusal(#"{"flicker":55}"#, "55"),
      Refusal(#"{"flicker":0}"#, "flicker"),
      Refusal(
        #"{"exposure":{"durationMicroseconds":1,"gain":0.5}}"#, "from 1.0 to 1000.0, not 0.5"),
      Refusal(#"{"exposure":{"durationMicroseconds":1e300,"gain":1}}"#, "durationMicroseconds"),
      Refusal(#"{"image":{"sharpness":17}}"#, "\"image.sharpness\" must be from 0.0 to 16.0"),
      Refusal(#"{"image":{"sharpness":"much"}}"#, "image.sharpness"),
      Refusal(#"{"image":{"sharpness":null}}"#, "image.sharpness"),
      Refusal(#"{"image":{"glow":1}}"#, "glow"),
      Refusal(#"{"image":1}"#, "image"),
      Refusal(#"{"image":null}"#, "image"),
      Refusal(#"{"prioritization":"best"}"#, "best"),
      Refusal(#"{"fastCapture":1}"#, "fastCapture"),
      Refusal(#"{"flash":"dim"}"#, "dim"),
      Refusal(#"{"camera":1}"#, "camera"),
      Refusal(#"[]"#, "whole body"),
      Refusal("", "not JSON"),
    ]

    @Test func `an invalid change is refused with its reason`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        for refusal in Self.refusals {
          let answer = try await CurlAnswer.get(
            "/v1/session", on: server, ["-X", "PATCH", "-d", refusal.body])
          #expect(answer.status == 400, "\(refusal)")
          let envelope = try APICoding.decode(ErrorEnvelope.self, from: answer.body.utf8)
          #expect(envelope.error.code == .invalidRequest, "\(refusal)")
          #expect(envelope.error.message.contains(refusal.named), "\(envelope.error.message)")
        }
      }
      #expect(rig.capture.changes.isEmpty)
    }

    static let impossibleSheets = [
      "", "{}", #"{"widthMillimeters":210}"#, #"{"widthMillimeters":210,"heightMillimeters":null}"#,
      #"{"widthMillimeters":210,"heightMillimeters":19}"#,
      #"{"widthMillimeters":2001,"heightMillimeters":297}"#,
      #"{"widthMillimeters":210,"heightMillimeters":297,"depth":1}"#,
    ]

    @Test func `an impossible sheet is refused`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        for body in Self.impossibleSheets {
          let answer = try await CurlAnswer.get(
            "/v1/session/scale", on: server, ["-X", "POST", "-d", body])
          #expect(answer.status == 400, "\(body)")
        }
      }
      #expect(rig.capture.sheets.isEmpty)
    }

    @Test func `verbs take no body and no parameter`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        for path in ["stop", "resume", "switch-camera", "focus", "calibrate"] {
          let body = try await CurlAnswer.get(
            "/v1/session/\(path)", on: server, ["-X", "POST", "-d", "{\"now\":true}"])
          let query = try await CurlAnswer.get(
            "/v1/session/\(path)?now=1", on: server, ["-X", "POST"])
          let method = try await CurlAnswer.get("/v1/session/\(path)", on: server)
          #expect([body.status, query.status, method.status] == [400, 400, 405], "\(path)")
          #expect(method.allow == "POST")
        }
        let put = try await CurlAnswer.get("/v1/session", on: server, ["-X", "PUT"])
        #expect(put.status == 405)
        #expect(put.allow == "GET, HEAD, PATCH")
      }
      #expect(rig.capture.calls.isEmpty)
    }
  }
}
