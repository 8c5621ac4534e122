import Devices

/// The negotiation of a stream's configuration with a simulated camera.
struct StreamNegotiation: Sendable {
  /// The properties of a negotiated stream.
  struct Outcome: Sendable, Hashable {
    var mode: SimulatedCameraModel.SensorMode
    var frameDuration: Duration
    var ringFrameCount: Int
    var resolved: ResolvedStreamConfiguration
  }

  /// The smallest picture, with a still legible frame counter.
  static let smallestSize = FrameSize(width: 176, height: 96)
  /// The slowest frame rate, in frames per second.
  static let minimumFrameRate = 0.1
  /// The maximum number of circulating buffers (V4L2's `VIDEO_MAX_FRAME`).
  static let maximumBufferCount = 32

  let model: SimulatedCameraModel

  /// Resolves a configuration.
  ///
  /// - Throws: `DeviceError`, code `unsupported`, when none of the pixel formats is available.
  func resolve(_ wanted: StreamConfiguration) throws(DeviceError) -> Outcome {
    var adjustments: [String] = []
    let formats = wanted.pixelFormats
    guard let pixelFormat = formats.first(where: model.pixelFormats.contains) else {
      throw DeviceError(
        .unsupported, device: model.id, problem: "has none of the wanted pixel formats",
        cause: "wanted \(names(formats)), there are \(names(model.pixelFormats))")
    }
    if let first = formats.first, first != pixelFormat {
      adjustments.append("Pixel format \(first.rawValue) became \(pixelFormat.rawValue).")
    }
    let size = closestSize(to: wanted.size)
    if size != wanted.size { adjustments.append("Size \(wanted.size) became \(size).") }
    let mode = self.mode(for: size)
    let frameRate = closestFrameRate(to: wanted.frameRate ?? 30, in: mode)
    if let wantedRate = wanted.frameRate, wantedRate != frameRate {
      adjustments.append("Frame rate \(wantedRate) became \(frameRate).")
    }
    let (ring, leased) = buffers(wanted, &adjustments)
    let bytesPerPixel = pixelFormat == .rgb || pixelFormat == .bgr ? 3 : 1
    let format = StreamFormat(
      size: size, pixelFormat: pixelFormat,
      bytesPerRow: bytesPerRow(width: size.width * bytesPerPixel),
      colorSpace: bytesPerPixel == 3 ? .unspecified : .jpeg)
    let frameDuration = StreamNegotiation.frameDuration(frameRate)
    let raw = wanted.wantsRaw ? rawFormat(of: size) : nil
    if wanted.wantsRaw, raw == nil { adjustments.append(ResolvedStreamConfiguration.noRaw) }
    let resolved = ResolvedStreamConfiguration(
      format: format, bufferCount: ring + leased, leasedFrameCount: leased,
      frameDuration: frameDuration, readoutDuration: mode.readoutDuration, raw: raw,
      preview: previewFormat(of: size, width: wanted.previewWidth), adjustments: adjustments)
    return Outcome(
      mode: mode, frameDuration: frameDuration, ringFrameCount: ring, resolved: resolved)
  }

  /// Returns the layout of raw frames of a size; `nil` for a model without them.
  private func rawFormat(of size: FrameSize) -> RawStreamFormat? {
    guard let format = model.capabilities.rawFormat,
      let painter = RawMosaicPainter(format, gains: WhiteBalanceGains(red: 1, blue: 1))
    else { return nil }
    return RawStreamFormat(
      format: format, size: size, bytesPerRow: painter.bytesPerRow(width: size.width))
  }

  /// Returns the format of previews of a size; `nil` where there are none.
  ///
  /// As on a Pi, a preview has at most half of a frame's width.
  private func previewFormat(of size: FrameSize, width: Int?) -> StreamFormat? {
    guard let width, model.hasSecondStream else { return nil }
    let columns = min(width, size.width / 2) / 2 * 2
    let rows = Double(size.height * columns) / Double(size.width)
    let preview = FrameSize(width: columns, height: Int((rows / 2).rounded()) * 2)
    guard preview.contains(StreamNegotiation.smallestSize) else { return nil }
    return StreamFormat(
      size: preview, pixelFormat: .yuv420, bytesPerRow: bytesPerRow(width: columns),
      colorSpace: .jpeg)
  }

  private func bytesPerRow(width: Int) -> Int { (width + 63) / 64 * 64 }

  /// Returns the closest frame rate of a mode, in frames per second.
  func closestFrameRate(
    to wanted: Double, in mode: SimulatedCameraModel.SensorMode
  ) -> Double {
    min(max(wanted, StreamNegotiation.minimumFrameRate), mode.maximumFrameRate)
  }

  /// Returns the time between frames at a rate, in whole microseconds.
  static func frameDuration(_ frameRate: Double) -> Duration {
    .microseconds(Int64((1e6 / frameRate).rounded()))
  }

  /// Returns the smallest mode that needs no enlargement, as libcamera's handler chooses it.
  private func mode(for size: FrameSize) -> SimulatedCameraModel.SensorMode {
    let fitting = model.modes.filter {
      $0.size.width >= size.width && $0.size.height >= size.height
    }
    return fitting.min { $0.size.area < $1.size.area } ?? model.modes[0]
  }

  private func closestSize(to wanted: FrameSize) -> FrameSize {
    let largest = model.modes.map(\.size).max { $0.area < $1.area } ?? wanted
    let smallest = StreamNegotiation.smallestSize
    return FrameSize(
      width: min(max(wanted.width, smallest.width), largest.width) / 2 * 2,
      height: min(max(wanted.height, smallest.height), largest.height) / 2 * 2)
  }

  /// Returns the numbers of ring frames and of leases.
  ///
  /// The buffer that is being filled is one of the leases', since a frame is in the ring when it is
  /// leased.
  private func buffers(
    _ wanted: StreamConfiguration, _ adjustments: inout [String]
  ) -> (ring: Int, leased: Int) {
    let most = StreamNegotiation.maximumBufferCount
    let ring = min(max(wanted.ringFrameCount, 2), most - 1)
    let leased = min(max(wanted.leasedFrameCount, 1), most - ring)
    if ring != wanted.ringFrameCount {
      adjustments.append("Ring of \(wanted.ringFrameCount.counted("frame")) became \(ring).")
    }
    if leased != wanted.leasedFrameCount {
      adjustments.append("\(wanted.leasedFrameCount.counted("leased frame")) became \(leased).")
    }
    return (ring, leased)
  }

  private func names(_ formats: [PixelFormat]) -> String {
    formats.isEmpty ? "none" : formats.map(\.rawValue).joined(separator: ", ")
  }
}
