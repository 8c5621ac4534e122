import API
import Capture
import Devices
import Foundation
import RigConfiguration
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Service

/// The way from the simulated sheet, shaped like A4, to the resolution that programs read.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ScaleMeasurementTests {
  private let scratch = ScratchSpool()
  private let a4 = ScaleRequest(widthMillimeters: 297, heightMillimeters: 210)

  private func model(_ bench: PipelineBench) -> RigModel {
    var model = RigModel(
      rigID: "rig-1", board: .simulated, session: bench.session, spool: bench.spool,
      spoolConfiguration: scratch.configuration, targets: [],
      monitor: RigMonitor(hasAccelerometer: false), indicatorNames: [:], world: bench.world,
      clock: bench.world.clock, startedAt: bench.world.clock.now)
    let still = ManualClock(now: bench.world.clock.now)
    model.previews = PreviewMaker(session: bench.session, clock: SleptClock(manual: still))
    return model
  }

  /// Returns the resolution of a new picture in Exif's words.
  private func resolution(_ bench: PipelineBench) async throws -> [Double] {
    guard
      case .stored(let photo)? = await bench.session.outcome(of: try await bench.press())?.outcome
    else { return [] }
    let tool = try await Tool.run(
      "exiftool", ["-n", "-s3", "-XResolution", "-YResolution", "-ResolutionUnit", photo.path])
    return tool.output.split(separator: "\n").compactMap { Double($0) }
  }

  @Test func `a picture claims the measured resolution`() async throws {
    let counter = LeaseCounter()
    let bench = try await PipelineBench(scratch, cameras: { counter.cameras(of: $0) })
    let model = model(bench)
    #expect(try await resolution(bench) == [72, 72, 1])
    let report = try await model.measureScale(a4)
    #expect(counter.leases.out == 0)
    // The sheet has 84 % of the rows, rounded to whole pixels.
    let truth = 0.84 * 540 / 297 * 25.4
    #expect(abs(report.pixelsPerInch / truth - 1) < 0.003, "\(report)")
    #expect(abs(report.angleDegrees) < 0.1 && report.keystone < 0.002)
    #expect(report.frameSize == SizeReport(width: 960, height: 540))
    #expect(report.diopters != nil && report.configuredPixelsPerInch == nil)
    let claimed = (report.pixelsPerInch * 100).rounded() / 100
    #expect(try await resolution(bench) == [claimed, claimed, 2])
    // The rig is turned: the sheet lies on its side.
    bench.world.turn(to: .clockwise90)
    var turned = report
    while abs(turned.horizontal - report.horizontal) < 1e-9 {
      turned = try await model.measureScale(a4)
    }
    #expect(abs(turned.pixelsPerInch / truth - 1) < 0.003, "\(turned)")

    let error = await #expect(throws: APIError.self) {
      try await model.measureScale(
        ScaleRequest(widthMillimeters: 215.9, heightMillimeters: 279.4))
    }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("name the size that it has") == true, "\(error as Any)")
    _ = try await model.forgetCalibration()
    #expect(try await resolution(bench) == [72, 72, 1])
    await bench.stop()
  }

  @Test func `the sheet is measured in the light of the lamp`() async throws {
    let bench = try await PipelineBench(
      scratch, hasLamp: true,
      change: { $0.lamp = LampPolicy(mode: .shot, leadTime: .milliseconds(50)) })
    #expect(bench.world.lampHistory.isEmpty, "nobody has pressed")
    _ = try await model(bench).measureScale(a4)
    #expect(bench.world.lampHistory.first?.isOn == true)
    try await eventually { !bench.world.isLampOn }
    // A sheet that is not found keeps no lamp lit.
    await #expect(throws: APIError.self) {
      try await model(bench).measureScale(
        ScaleRequest(widthMillimeters: 215.9, heightMillimeters: 279.4))
    }
    try await eventually { !bench.world.isLampOn }
    await bench.stop()
  }

  @Test func `the configured resolution takes precedence`() async throws {
    var image = ImageSection()
    image.dpi = 300
    let bench = try await PipelineBench(scratch, image: image)
    _ = try await model(bench).measureScale(a4)
    #expect(try await resolution(bench) == [300, 300, 2])
    await bench.stop()
  }
}
