import API
import Console
import TestSupport
import Testing

extension ServerTests {
  /// `platenctl record` as a person or a script uses it.
  @Suite struct RecordCommandTests {
    @Test func `each verb has its operation, and the status is the default`() async throws {
      let rig = FakeRig()
      try await withServer(rig) { server in
        for words in [[], ["status"], ["start"], ["pause"], ["resume"], ["stop"]] {
          let tool = try await Tool.platenctl(["record"] + words, socket: server.socketPath)
          #expect(tool.exitCode == 0, "\(words): \(tool.complaint)")
        }
      }
      #expect(rig.fakeMovie.calls == ["status", "status", "start", "pause", "resume", "stop"])
    }

    @Test func `the recording is text or JSON`() async throws {
      try await withServer(FakeRig()) { server in
        let text = try await Tool.platenctl(["record"], socket: server.socketPath)
        #expect(text.output.hasPrefix("recording  interrupted (cameraStalled), press 43, 12 s"))
        let json = try await Tool.platenctl(["record", "--json"], socket: server.socketPath)
        #expect(
          try APICoding.decode(MovieReport.self, from: json.output.utf8) == MovieSamples.recording)
      }
    }

    @Test func `a recording that is not stored and one that is refused exit with 1`()
      async throws
    {
      let rig = FakeRig()
      rig.editMovie { $0.recording = MovieSamples.refused }
      try await withServer(rig) { server in
        let empty = try await Tool.platenctl(["record", "stop"], socket: server.socketPath)
        #expect(empty.exitCode == 1)
        #expect(empty.output.contains("press 40 refused (recorderMissing)"))
        rig.editMovie { $0.failure = APIError(.conflict, "The movie cannot begin: it is too hot.") }
        let refused = try await Tool.platenctl(["record", "start"], socket: server.socketPath)
        #expect(refused.exitCode == 1 && refused.complaint.contains("it is too hot"))
      }
    }

    @Test func `the view has the sound's level, or the reason of its end`() {
      func rows(_ level: Double?, _ end: String?) -> [String] {
        MovieReport(
          state: "recording", press: 1, soundLevelDecibels: level, soundEnd: end
        ).rendered()
      }
      #expect(rows(-21.54, nil).last == "sound      -21.5 dBFS")
      #expect(rows(nil, "It was unplugged.").last == "sound      It was unplugged.")
      #expect(rows(nil, nil).count == 1)
      let stored = RecordingReport(
        press: 1, outcome: "stored", reason: "stopped", soundEnd: "It was unplugged.")
      let words = stored.rendered().joined(separator: " ").split(separator: " ")
      #expect(words.suffix(3) == ["It", "was", "unplugged."])
    }

    @Test func `the views fit an eighty column terminal`() {
      #expect(
        MovieSamples.recording.rendered() == [
          "recording  interrupted (cameraStalled), press 43, 12 s, 370 frames, 2 dropped,",
          "           10.6 MB",
          "sound      -18.5 dBFS",
          "recorder   failed 1 time",
          "recorded   press 41 stored, duration, 1 min 1 s, 1840 frames, 5 dropped, 53.5",
          "           MB, 2 parts, gap of 1.2 s: cameraStalled, streamEnded",
          "           rig-7-000041",
          "           rig-7-000042",
        ])
    }
  }
}
