import CameraHost
import Devices
import Foundation
import Recorder
import TestSupport
import Testing

@testable import RecorderProgram

/// ALSA's own library, with its devices without hardware.
@Suite struct AlsaMicrophoneTests {
  @Test func `a device is read as it has samples`() throws {
    let microphone = try AlsaMicrophone(device: "null")
    #expect(microphone.format == SoundFormat(rate: 48_000, channelCount: 2, sampleByteCount: 2))
    let before = SystemMonotonicClock().now
    let chunk = try #require(try microphone.read())
    // The device has no clock, and is not read faster than time passes.
    #expect(!chunk.bytes.isEmpty && chunk.bytes.allSatisfy { $0 == 0 } && !chunk.isAfterGap)
    #expect(chunk.bytes.count % 4 == 0)
    #expect(before <= chunk.end && chunk.end <= SystemMonotonicClock().now)
  }

  @Test func `a device that is not there is told`() {
    for device in ["none-such", "hw:31,7"] {
      let failure = #expect(throws: RecorderFailure.self) { try AlsaMicrophone(device: device) }
      #expect(
        failure?.description
          == "The microphone \"\(device)\" gives no sound, and the movie is recorded without: "
          + "there is no such device.")
    }
  }

  @Test func `each cause has its words`() {
    #expect(AlsaMicrophone.cause(-EBUSY) == "another program uses the device")
    #expect(AlsaMicrophone.cause(-EACCES) == "the recorder may not use the device")
    #expect(AlsaMicrophone.cause(-ENODEV) == "the device is not there, or was unplugged")
    #expect(AlsaMicrophone.cause(-EINVAL) == "Invalid argument")
  }

  /// Records a second and a half of one picture by the program, with a device of ALSA's.
  private func record(
    _ device: String, _ directory: String
  ) async throws -> (counts: RecorderCounts, path: String) {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    var launch = HostLaunch(
      path: URL(fileURLWithPath: program).deletingLastPathComponent()
        .appendingPathComponent("platen-recorder").path, arguments: [],
      environment: ["TSAN_OPTIONS": "report_bugs=0"])
    let tone = directory + "/tone.raw"
    var bytes = Data()
    for index in 0..<48_000 {
      let value = Int16(sin(2 * .pi * TestMicrophone.frequency * Double(index) / 48_000) * 16_384)
      withUnsafeBytes(of: value) { sample in
        bytes.append(contentsOf: sample)
        bytes.append(contentsOf: sample)
      }
    }
    // A minute, which no machine is late by.
    let second = bytes
    for _ in 1..<60 { bytes.append(second) }
    try bytes.write(to: URL(fileURLWithPath: tone))
    let configuration = directory + "/asound.conf"
    try Data(
      """
      pcm.tone { type file slave.pcm { type null } file /dev/null infile "\(tone)" format raw }
      """.utf8
    ).write(to: URL(fileURLWithPath: configuration))
    launch.environment["ALSA_CONFIG_PATH"] = configuration
    // The confined program may read below the paths of these variables, here the tone.
    launch.environment["LIBCAMERA_TEST_FILES"] = directory
    let frames = PaintedFrames(size: FrameSize(width: 64, height: 48), seconds: 0)
    var part = frames.part
    part.sound = device
    let path = directory + "/movie.mp4"
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    var deadlines = RecorderDeadlines()
    (deadlines.opening, deadlines.recording, deadlines.closing) =
      (.seconds(120), .seconds(120), .seconds(120))
    let recorder = try await RecorderProcess.start(launch, part, file: file, deadlines: deadlines)
    let clock = SystemMonotonicClock()
    let (buffer, begin) = (FileFrame(frames.bytes(0)), clock.now)
    var (number, time): (UInt64, MonotonicInstant) = (0, begin)
    // A movie ends with its last frame, however long a busy machine takes to write one.
    repeat {
      (number, time) = (number + 1, clock.now)
      let lease = FrameLease(
        info: FrameInfo(id: number, sequence: number, timestamp: time),
        format: frames.format, buffer: buffer)
      #expect(await recorder.write(lease) == .written)
    } while begin.duration(to: time) < .milliseconds(1500)
    _ = try await recorder.close()
    return (await recorder.counts, path)
  }

  @Test func `a card that is as fast as can be corrected is read whole`() {
    for seconds in [1, 200, 3600, 86_400] {
      let read = Int(Double(seconds * 48_000) * 1.005)
      let limit = AlsaMicrophone.limit(after: .seconds(seconds), rate: 48_000, readCount: read)
      #expect(limit > 0, "after \(seconds) s")
    }
    #expect(AlsaMicrophone.limit(after: .seconds(10), rate: 48_000, readCount: 490_000) < 0)
  }

  @Test func `the program records the sound of a device of ALSA's`() async throws {
    try await withTemporaryDirectory { directory in
      let (counts, path) = try await record("tone", directory)
      #expect(counts.soundEnd == nil)
      let heard = try await HeardMovie(path)
      #expect(heard.tracks.map(\.codec_name) == ["h264", "aac"])
      #expect(abs(heard.frequency(0.2...1) - TestMicrophone.frequency) < 10)
      let level = try #require(counts.soundLevel)
      #expect(abs(level + 6) < 1, "a sine of half the scale")
    }
  }

  @Test func `the program goes on without a device that is not there`() async throws {
    try await withTemporaryDirectory { directory in
      let (counts, path) = try await record("absent", directory)
      #expect(
        counts.soundEnd
          == "The microphone \"absent\" gives no sound, and the movie is recorded without: "
          + "there is no such device.")
      #expect(try await HeardMovie(path).tracks.map(\.codec_name) == ["h264"])
    }
  }
}
