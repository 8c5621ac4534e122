import ArgumentParser
import Capture
import Devices

/// The benchmark of the chosen frame's distance from the press, and of the time until it is stored.
struct PressBenchmark {
  let presses: Int
  let warmUp: Int
  let size: FrameSize
  let frameRate: Double
  let directory: String

  func run() async throws {
    let bench = try await BenchmarkSession(
      directory: directory, size: size, frameRate: frameRate)
    var records: [PressRecord] = []
    for number in 1...(warmUp + presses) {
      try await bench.untilReady()
      let press = try await bench.session.press(at: bench.clock.now, source: .button)
      guard let record = await bench.session.outcome(of: press), case .stored = record.outcome
      else {
        throw ValidationError("press \(press) was refused; the machine is too slow for this run")
      }
      if number <= warmUp { await bench.samples.forget() } else { records.append(record) }
      // Presses must not be in step with the frames.
      try await bench.clock.sleep(for: .milliseconds(Int.random(in: 50...150)))
    }
    await bench.stop()
    printErrors(records)
    await printSteps(bench.samples)
  }

  private func printErrors(_ records: [PressRecord]) {
    var milliseconds: [Double] = []
    var frames: [Double] = []
    var withinLimit = 0
    for record in records {
      guard let error = record.selectionError, let interval = record.frameInterval else { continue }
      let distance = abs(error.inMilliseconds)
      milliseconds.append(distance)
      frames.append(distance / interval.inMilliseconds)
      if distance <= interval.inMilliseconds / 2 + 2 { withinLimit += 1 }
    }
    let limit = 500 / frameRate + 2
    print(
      "\nSelection error: \(milliseconds.count) presses, \(size), \(frameRate) frames a second; "
        + "limit: half a frame duration and 2 ms for 99 of 100")
    print("| unit | median | 95 of 100 | worst | limit | 99 of 100 as a multiple of the limit |")
    print("|---|---|---|---|---|---|")
    print(
      "| ms | \(milliseconds.distribution) | \(limit.twoDecimals) | "
        + "\((milliseconds.percentile(0.99) / limit).twoDecimals) |")
    let frameLimit = limit * frameRate / 1000
    print(
      "| frame durations | \(frames.distribution) | \(frameLimit.twoDecimals) | "
        + "\((frames.percentile(0.99) / frameLimit).twoDecimals) |")
    print("Within the limit: \(withinLimit) of \(milliseconds.count).")
  }

  private func printSteps(_ samples: Samples) async {
    let encode = await samples.bareEncode
    let rows = [
      ("press → frame chosen", await samples.pressToFrame),
      ("frame → stored (EXIF, fsync, row)", await samples.frameToStored),
      ("press → stored", await samples.pressToStored),
      ("bare libjpeg-turbo encode", encode),
    ]
    print("\nSteps: YUV 4:2:0, quality 90, the same frames encoded by the bare library")
    print("| step | median ms | 95 of 100 | worst | median as a multiple of the bare encode |")
    print("|---|---|---|---|---|")
    for (name, times) in rows {
      print("| \(name) | \(times.distribution) | \((times.median / encode.median).twoDecimals) |")
    }
  }
}
