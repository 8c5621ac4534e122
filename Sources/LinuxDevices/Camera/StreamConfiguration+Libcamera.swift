import CLibcameraShim
import Devices

extension StreamConfiguration {
  /// Returns the configuration as the shim takes it.
  ///
  /// - Throws: ``DeviceError``, code `misconfigured`, when a number is out of its range, and
  ///   `unsupported` when a number of the controls is.
  func shimRequest(for device: String) throws(DeviceError) -> platen_camera_request {
    func fail(_ cause: String) -> DeviceError {
      DeviceError(.misconfigured, device: device, problem: "cannot be configured", cause: cause)
    }
    guard (1...32768).contains(size.width), (1...32768).contains(size.height) else {
      throw fail("the size \(size) is not within 1x1...32768x32768")
    }
    guard ringFrameCount >= 2, leasedFrameCount >= 1, ringFrameCount + leasedFrameCount <= 28 else {
      throw fail("\(ringFrameCount) + \(leasedFrameCount) frames are not within 2 + 1...28 in all")
    }
    let capacity = Int(PLATEN_CAMERA_FORMATS_MAX)
    guard !pixelFormats.isEmpty, pixelFormats.count <= capacity else {
      throw fail("\(pixelFormats.count) pixel formats are not within 1...\(capacity)")
    }
    var request = platen_camera_request()
    request.width = UInt32(size.width)
    request.height = UInt32(size.height)
    request.format_count = UInt32(pixelFormats.count)
    withUnsafeMutableBytes(of: &request.formats) { bytes in
      for (slot, format) in zip(bytes.bindMemory(to: UInt32.self).indices, pixelFormats) {
        bytes.storeBytes(
          of: format.drmFourCC, toByteOffset: slot * MemoryLayout<UInt32>.stride, as: UInt32.self)
      }
    }
    request.ring_frames = UInt32(ringFrameCount)
    request.leased_frames = UInt32(leasedFrameCount)
    request.controls = try controls.shimControls(for: device)
    request.wants_raw = wantsRaw ? 1 : 0
    request.preview_width = UInt32(clamping: previewWidth ?? 0)
    request.frame_duration_ns = try Self.frameDuration(frameRate, device: device)
    return request
  }

  /// Returns the nanoseconds between frames of a rate in frames per second; 0 for no rate.
  ///
  /// - Throws: ``DeviceError``, code `misconfigured`, when the rate is not within 0.001...1000.
  static func frameDuration(_ frameRate: Double?, device: String) throws(DeviceError) -> Int64 {
    guard let frameRate else { return 0 }
    guard (0.001...1000).contains(frameRate) else {
      throw DeviceError(
        .misconfigured, device: device, problem: "cannot be given a frame rate",
        cause: "\(frameRate) frames a second are not within 0.001...1000")
    }
    return Int64((1e9 / frameRate).rounded())
  }
}

extension ResolvedStreamConfiguration {
  /// Reads the shim's resolution, and notes its differences from the wanted configuration.
  ///
  /// The result is `nil` for a pixel format that this software does not support; the shim chooses
  /// none.
  init?(_ stream: platen_camera_stream, wanted: StreamConfiguration) {
    guard let pixelFormat = PixelFormat(drmFourCC: stream.format) else { return nil }
    let format = StreamFormat(
      size: FrameSize(width: Int(stream.width), height: Int(stream.height)),
      pixelFormat: pixelFormat, bytesPerRow: Int(stream.stride),
      colorSpace: ColorSpace(shimValue: stream.color_space))
    self.init(
      format: format, bufferCount: Int(stream.buffer_count),
      leasedFrameCount: Int(stream.leased_frames),
      frameDuration: stream.frame_duration_ns > 0 ? .nanoseconds(stream.frame_duration_ns) : nil,
      readoutDuration: .nanoseconds(stream.readout_duration_ns),
      rotation: Int(stream.rotation), coverage: SensorCoverage(stream),
      raw: RawStreamFormat(stream.raw), preview: StreamFormat(stream.preview),
      adjustments: Self.adjustments(of: stream, format: format, wanted: wanted))
  }

  private static func adjustments(
    of stream: platen_camera_stream, format: StreamFormat, wanted: StreamConfiguration
  ) -> [String] {
    var sentences: [String] = []
    if format.size != wanted.size {
      sentences.append("The camera has no \(wanted.size); it gives \(format.size).")
    }
    if let first = wanted.pixelFormats.first, format.pixelFormat != first {
      sentences.append("The camera has no \(first) here; it gives \(format.pixelFormat).")
    }
    if let frameRate = wanted.frameRate, stream.frame_duration_ns > 0 {
      let got = 1e9 / Double(stream.frame_duration_ns)
      if abs(got - frameRate) > frameRate / 100 {
        let rounded = (got * 100).rounded() / 100
        sentences.append(
          "The camera cannot give \(frameRate) frames a second at this size; it gives \(rounded).")
      }
    }
    if let coverage = SensorCoverage(stream), let sentence = coverage.sentence {
      sentences.append(sentence)
    }
    if wanted.wantsRaw, RawStreamFormat(stream.raw) == nil {
      sentences.append(
        stream.lacks_raw_memory == 0
          ? noRaw : "There is no memory for raw frames, so there are no DNG files.")
    }
    if Int(stream.ring_frames) < wanted.ringFrameCount {
      sentences.append(
        "There is memory for \(stream.ring_frames) of \(wanted.ringFrameCount) frames in the ring.")
    }
    if Int(stream.leased_frames) < wanted.leasedFrameCount {
      sentences.append(
        "There is memory for \(stream.leased_frames) of \(wanted.leasedFrameCount) frames in use "
          + "at a time.")
    }
    return sentences
  }
}

extension SensorCoverage {
  /// Reads the shim's coverage; `nil` when it is unknown.
  fileprivate init?(_ stream: platen_camera_stream) {
    guard stream.sensor_width > 0, stream.sensor_height > 0 else { return nil }
    self.init(
      width: Double(stream.shown_width) / Double(stream.sensor_width),
      height: Double(stream.shown_height) / Double(stream.sensor_height))
  }
}
