import Capture
import Devices
import RigConfiguration
import Settings
import Testing

@Suite struct MovieSectionTests {
  private func parse(_ text: String) throws -> PlatenConfiguration {
    try PlatenConfiguration.parse(afterMinimum: text)
  }

  private func problems(_ text: String) -> [String] {
    let errors = #expect(throws: ConfigurationErrors.self) { try parse(text) }
    return (errors?.issues ?? []).map { "\($0.key): \($0.problem)" }
  }

  @Test func `recordings are off by default, and have limits`() throws {
    let section = try parse("").movie
    #expect(!section.isEnabled && section.recording.preset == .hd1920x1080)
    #expect(section.recording.limits.duration == .seconds(3600))
    #expect(section.recording.limits.freeByteCount == 256 << 20)
    #expect(section.recording.limits.byteCount == nil && section.recording.frameRate == nil)
  }

  @Test func `the section sets size, rate and limits`() throws {
    let section = try parse(
      """
      movie:
        { enabled: true, preset: 720p, frame_rate: 15, bit_rate: 2000000, maximum_duration: 5 min,
          maximum_bytes: 1 GB, minimum_free: 1 GiB }
      """
    ).movie
    #expect(section.isEnabled && section.recording.preset == .hd1280x720)
    #expect(section.recording.frameRate == 15)
    #expect(section.recording.compression == .bitRate(2_000_000))
    #expect(
      section.recording.limits
        == MovieSettings.Limits(
          duration: .seconds(300), byteCount: 1_000_000_000, freeByteCount: 1 << 30))
  }

  @Test func `nothing listens unless a device is named`() throws {
    #expect(try parse("movie: { enabled: true }").movie.sound == nil)
    #expect(try parse("movie: { enabled: true, sound: off }").movie.sound == nil)
    #expect(try parse("movie: { sound: \"plughw:1,0\" }").movie.sound == "plughw:1,0")
    #expect(problems("movie: { sound: \"\" }").count == 1)
  }

  @Test(arguments: [
    "preset: 4k", "frame_rate: 0", "bit_rate: 1000", "maximum_duration: 0 s", "minimum_free: 0",
  ])
  func `a value out of range is refused`(_ setting: String) {
    #expect(problems("movie: { \(setting) }").count == 1)
  }

  @Test func `the gesture needs recordings, and hold is not for them`() throws {
    let buttons = "buttons: { pedal: { line: PEDAL, single: shoot, long: record } }"
    #expect(problems(buttons) == ["buttons.pedal.long: needs \"movie.enabled: true\""])
    let section = try #require(try parse("movie: { enabled: true }\n\(buttons)").buttons.first)
    #expect(section.actions[.long] == .record && !ButtonAction.record.takesPictures)
    let held = "movie: { enabled: true }\nbuttons: { pedal: { line: PEDAL, hold: record } }"
    #expect(
      problems(held) == [
        "buttons.pedal.hold: goes with power_off only; use \"long\" for record"
      ])
  }

  @Test func `recordings need a frame that the camera can spare`() throws {
    func text(_ captures: Int) -> String {
      """
      movie: { enabled: true }
      camera: { ring_frames: 20, maximum_captures: \(captures) }
      """
    }
    #expect(try parse(text(6)).movie.isEnabled)
    #expect(
      problems(text(7)) == [
        "movie.enabled: needs 1 less in \"camera.ring_frames\" or \"camera.maximum_captures\": "
          + "a camera has room for 28 frames"
      ])
  }
}
