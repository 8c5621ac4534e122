import CIIO
import Devices
import Glibc

/// A running IIO buffer with the three axes and the timestamp; its end stops the buffer.
///
/// The implementation uses libiio 0.2x: `iio_device_create_buffer`, `iio_buffer_refill`,
/// `iio_channel_convert`. A buffer must not be used from two threads.
struct IIOSampleBuffer: ~Copyable {
  /// A record of the buffer: raw numbers, not yet scaled.
  struct Record {
    /// The axes x, y and z.
    var raw: SIMD3<Int64>
    /// The kernel's timestamp in nanoseconds; `nil` when the device gives none.
    var timestamp: Int64?
  }

  private let context: OpaquePointer
  private let buffer: OpaquePointer
  private let axes: Axes
  private let timestamp: IIOChannel?

  private struct Axes {
    var x: IIOChannel
    var y: IIOChannel
    var z: IIOChannel
  }

  /// Starts the buffer of a device that has its trigger assigned.
  ///
  /// - Parameter id: the device's directory name, for example `iio:device0`.
  /// - Throws: ``SystemError``: `EBUSY` when another process reads the buffer, `EACCES` without the
  ///   permission to read it, `ENODEV` when the device is gone.
  init(deviceID id: String) throws(SystemError) {
    // libiio turns a running buffer off before it finds that another process reads it.
    try Self.checkUnused(path: "/dev/" + id)
    errno = 0
    guard let context = iio_create_local_context() else { throw .last }
    let opened: (buffer: OpaquePointer, axes: Axes, timestamp: IIOChannel?)
    do throws(SystemError) {
      opened = try Self.open(id, in: context)
    } catch {
      iio_context_destroy(context)
      throw error
    }
    self.context = context
    buffer = opened.buffer
    axes = opened.axes
    timestamp = opened.timestamp
  }

  deinit {
    iio_buffer_destroy(buffer)
    iio_context_destroy(context)
  }

  private static func checkUnused(path: String) throws(SystemError) {
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    close(descriptor)
  }

  private static func open(
    _ id: String, in context: OpaquePointer
  ) throws(SystemError) -> (buffer: OpaquePointer, axes: Axes, timestamp: IIOChannel?) {
    guard let device = iio_context_find_device(context, id) else { throw SystemError(ENODEV) }
    // The timeout never applies to reading, which does not block; but opening may.
    let timeout = iio_context_set_timeout(context, 1000)
    guard timeout == 0 || timeout == -ENOSYS else { throw SystemError(timeout) }
    guard let x = IIOChannel("accel_x", of: device), let y = IIOChannel("accel_y", of: device),
      let z = IIOChannel("accel_z", of: device)
    else { throw SystemError(ENXIO) }
    for channel in [x, y, z] { channel.enable() }
    let timestamp = IIOChannel("timestamp", of: device)
    timestamp?.enable()
    errno = 0
    // The kernel keeps four times as many.
    guard let buffer = iio_device_create_buffer(device, 64, false) else { throw .last }
    let result = iio_buffer_set_blocking_mode(buffer, false)
    guard result == 0 else {
      iio_buffer_destroy(buffer)
      throw SystemError(result)
    }
    return (buffer, Axes(x: x, y: y, z: z), timestamp)
  }

  /// Reads the waiting records, oldest first, without blocking.
  ///
  /// - Throws: ``SystemError``: `ENODEV` when the device is gone.
  borrowing func readRecords() throws(SystemError) -> [Record] {
    let byteCount = iio_buffer_refill(buffer)
    guard byteCount >= 0 else {
      let failure = SystemError(Int32(truncatingIfNeeded: byteCount))
      if failure.number == EAGAIN { return [] }
      throw failure
    }
    let step = iio_buffer_step(buffer)
    guard step > 0, let end = iio_buffer_end(buffer), let start = iio_buffer_start(buffer) else {
      return []
    }
    var records: [Record] = []
    records.reserveCapacity((end - start) / step)
    for offset in stride(from: 0, to: (end - start) / step * step, by: step) {
      let raw = SIMD3(
        axes.x.value(at: offset, in: buffer), axes.y.value(at: offset, in: buffer),
        axes.z.value(at: offset, in: buffer))
      records.append(
        Record(raw: raw, timestamp: timestamp?.value(at: offset, in: buffer)))
    }
    return records
  }
}

/// A channel of a device, with the format of its numbers; valid as long as its context.
struct IIOChannel {
  private let pointer: OpaquePointer

  /// Finds an input channel of a device by its ID, for example `accel_x`, that a buffer can carry.
  init?(_ id: String, of device: OpaquePointer) {
    guard let pointer = iio_device_find_channel(device, id, false),
      iio_channel_is_scan_element(pointer)
    else { return nil }
    self.pointer = pointer
  }

  /// Adds the channel to the next buffer.
  func enable() {
    iio_channel_enable(pointer)
  }

  /// Reads the channel's number in the record at an offset in bytes in a buffer.
  func value(at offset: Int, in buffer: OpaquePointer) -> Int64 {
    guard let first = iio_buffer_first(buffer, pointer) else { return 0 }
    return value(of: first + offset)
  }

  /// Converts the device's number into this machine's: byte order, shift and sign.
  func value(of source: UnsafeRawPointer) -> Int64 {
    var storage: UInt64 = 0
    // The call writes as many bytes as the format has, 8 at most.
    iio_channel_convert(pointer, &storage, source)
    guard let format = iio_channel_get_data_format(pointer)?.pointee else { return 0 }
    return withUnsafeBytes(of: &storage) { bytes in
      switch (format.length, format.is_signed) {
      case (8, true): Int64(bytes.load(as: Int8.self))
      case (8, false): Int64(bytes.load(as: UInt8.self))
      case (16, true): Int64(bytes.load(as: Int16.self))
      case (16, false): Int64(bytes.load(as: UInt16.self))
      case (32, true): Int64(bytes.load(as: Int32.self))
      case (32, false): Int64(bytes.load(as: UInt32.self))
      default: bytes.load(as: Int64.self)
      }
    }
  }
}
