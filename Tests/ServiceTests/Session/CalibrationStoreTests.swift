import Capture
import Devices
import Foundation
import TestSupport
import Testing

@testable import Service

@Suite struct CalibrationStoreTests {
  private let scratch = ScratchSpool()
  private let log = RecordedLog()
  private let calibration = CameraCalibration(
    exposureDuration: .microseconds(12_345), analogueGain: 1.75,
    whiteBalanceGains: WhiteBalanceGains(red: 2.1, blue: 1.4), lensPosition: 3.25)

  init() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.directory, withIntermediateDirectories: true)
  }

  private var path: String { scratch.directory + "/" + CalibrationStore.fileName }

  private func store() -> CalibrationStore {
    CalibrationStore(directory: scratch.directory, logger: log.logger)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.directory).sorted()
  }

  @Test func `a stored calibration survives a restart`() async throws {
    let first = store()
    let nothing = await first.calibrations()
    #expect(nothing.isEmpty && log.count("error") == 0)
    try await first.store(calibration, of: "/base/a")
    try await first.store(CameraCalibration(lensPosition: 0), of: "b")
    let again = await store().calibrations()
    #expect(again == ["/base/a": calibration, "b": CameraCalibration(lensPosition: 0)])
    try await store().removeCalibration(of: "/base/a")
    try await store().removeCalibration(of: "nobody")
    let left = await store().calibrations()
    #expect(left == ["b": CameraCalibration(lensPosition: 0)])
    #expect(try names() == [CalibrationStore.fileName], "nothing is left beside it")
  }

  @Test func `scales and a calibration keep each other and are deleted together`() async throws {
    let scales = [
      CameraScale(
        pixelsPerInch: 151.5, frameSize: FrameSize(width: 4608, height: 2592),
        shownSensor: FrameSize(width: 4608, height: 2592), lensPosition: 3.25),
      CameraScale(pixelsPerInch: 75, frameSize: FrameSize(width: 1024, height: 768)),
    ]
    try await store().store(scales, of: "a")
    #expect(await store().calibrations().isEmpty)
    try await store().store(calibration, of: "a")
    #expect(await store().scales() == ["a": scales])
    try await store().store([scales[1]], of: "a")
    #expect(await store().scales() == ["a": [scales[1]]])
    #expect(await store().calibrations() == ["a": calibration])
    try await store().removeCalibration(of: "a")
    #expect(await store().scales().isEmpty)
    #expect(await store().calibrations().isEmpty)
  }

  @Test func `a file from before the scales is read`() async throws {
    let old = #"{"version":1,"cameras":{"a":{"lensPositionDioptres":2.5}}}"#
    try Data(old.utf8).write(to: URL(fileURLWithPath: path))
    let store = store()
    #expect(await store.calibrations() == ["a": CameraCalibration(lensPosition: 2.5)])
    #expect(await store.scales().isEmpty)
  }

  static let damaged = [
    "", "{", "[]", "\u{0}\u{0}\u{0}", #"{"version":2,"cameras":{}}"#, #"{"cameras":{}}"#,
    #"{"version":1,"cameras":{"a":{"analogueGain":0}}}"#,
    #"{"version":1,"cameras":{"a":{"exposureNanoseconds":-5}}}"#,
    #"{"version":1,"cameras":{"a":{"redGain":2}}}"#,
    #"{"version":1,"cameras":{"a":{"lensPositionDioptres":-1}}}"#,
    #"{"version":1,"cameras":{"a":{"scales":[{"pixelsPerInch":0,"frameSize":{"width":1,"height":1}}]}}}"#,
    #"{"version":1,"cameras":{"a":{"lensPositionDioptres":1e999}}}"#,
  ]

  @Test(arguments: damaged)
  func `a damaged or foreign file is named in the log and put aside`(_ contents: String)
    async throws
  {
    try Data(contents.utf8).write(to: URL(fileURLWithPath: path))
    let store = store()
    let found = await store.calibrations()
    #expect(found.isEmpty)
    #expect(log.count(path) == 1)
    #expect(try names() == [CalibrationStore.fileName + ".broken"])
    try await store.store(calibration, of: "a")
    let again = await self.store().calibrations()
    #expect(again == ["a": calibration])
  }

  @Test func `a directory or a file that is too long is put aside`() async throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let found = await store().calibrations()
    #expect(found.isEmpty && log.count("Is a directory") == 1)
    try FileManager.default.removeItem(atPath: path + ".broken")
    try Data(repeating: 32, count: (1 << 20) + 1).write(to: URL(fileURLWithPath: path))
    let other = await store().calibrations()
    #expect(other.isEmpty && log.count("1048576 bytes") == 1)
  }

  @Test func `a failure to write is reported and the old calibration stays`() async throws {
    let store = store()
    try await store.store(calibration, of: "a")
    // A directory is in the place of the temporary file.
    let part = scratch.directory + "/." + CalibrationStore.fileName + ".part"
    try FileManager.default.createDirectory(
      atPath: part + "/x", withIntermediateDirectories: true)
    let error = await #expect(throws: DeviceError.self) {
      try await store.store(CameraCalibration(lensPosition: 1), of: "a")
    }
    #expect(error?.code == .inputOutput && error?.device == path)
    let found = await store.calibrations()
    #expect(found == ["a": calibration])
  }

  @Test func `a number that is not finite is not written`() async throws {
    let store = store()
    await #expect(throws: DeviceError.self) {
      try await store.store(CameraCalibration(lensPosition: .nan), of: "a")
    }
    let found = await store.calibrations()
    #expect(found.isEmpty)
  }
}
