import ArgumentParser
import Devices
import Foundation
import Imaging
import SimulatedDevices

/// A chart of colors, whose DNG file is developed by LibRaw and compared with the maker's colors.
enum ChartDevelopment {
  /// The name of the program that develops.
  static let program = "dcraw_emu"

  /// Returns the difference of each patch (CIEDE2000).
  static func differences() async throws -> [Double] {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("chart-\(ProcessInfo.processInfo.processIdentifier).dng")
    defer { try? FileManager.default.removeItem(at: path) }
    let bytes = try await file()
    try Data(bytes).write(to: path)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
    process.arguments = ColorChart.development + [path.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let picture = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let differences = ColorChart.differences(ofDevelopment: [UInt8](picture))
    else { throw ValidationError("\(program) ended with \(process.terminationStatus)") }
    return differences
  }

  /// Returns the DNG file of the chart before the simulated camera.
  private static func file() async throws -> [UInt8] {
    guard let frame = try await ColorChart.settledFrame() else {
      throw ValidationError("the camera gives no frame")
    }
    let exif = EXIFMetadata(
      orientation: .up, make: "Platen", model: "Bench", software: "Platen",
      captured: WallClockTime(nanosecondsSince1970: 0), clockIsSynchronized: false,
      imageUniqueID: String(repeating: "0", count: 32), rigID: "bench", pressNumber: 1)
    return try EncodedPicture.dng(of: frame, exif: exif, encoder: PhotoEncoder()).bytes
  }
}
