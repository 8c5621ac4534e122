import Devices
import Foundation
import LinuxDevices
import Testing

extension Conformance {
  /// The faults of kernel devices only: lost chips, missing triggers, users without rights.
  @Suite(.enabled(if: KernelRig.isPresent, "needs the virtual rig: set PLATEN_RIG_HANDS"))
  struct KernelDeviceTests {
    private let accelerometerFolder = "/sys/bus/iio/devices/iio:device0"

    @Test func `a button with a lost chip is reported within seconds`() async throws {
      let chip = try SecondChip(label: "platen-test")
      defer { chip.remove() }
      let button = GPIOButtonLine(.offset(1, chip: "platen-test"))
      let watch = try await button.watch()
      try chip.setLive(false)
      var events = watch.events.makeAsyncIterator()
      let event = await events.next()
      guard case .failed(let error)? = event else {
        Issue.record("\(String(describing: event))")
        return
      }
      #expect(error.code == .disconnected)
      #expect(await events.next() == nil)
      // The button is available again when the chip is back under any number.
      try chip.setLive(true)
      _ = try await button.watch()
      await button.release()
    }

    @Test func `a light with a lost chip is reported by the next pattern`() async throws {
      let chip = try SecondChip(label: "platen-test")
      defer { chip.remove() }
      let light = GPIOLineIndicator(.offset(2, chip: "platen-test"))
      try await light.show(.on)
      try chip.setLive(false)
      await #expect(throws: DeviceError.self) { try await light.show(.off) }
      try chip.setLive(true)
      try await light.show(.on)
      await light.release()
    }

    @Test func `a sensor without a trigger is polled`() async throws {
      _ = try await KernelRig.make()
      // A name without a trigger removes the assigned one.
      try write("none", to: "\(accelerometerFolder)/trigger/current_trigger")
      let sensor = IIOAccelerometer(name: "lis3dh")
      let (failures, samples) = try await read(21, of: sensor, rate: 10)
      #expect(failures.isEmpty)
      let period = medianPeriod(of: samples)
      // A busy machine is late, and never early.
      #expect(period > 85 && period < 200, "\(period) ms between two samples")
      #expect(samples[20].acceleration.y > 9)
    }

    @Test func `a sensor with a missing trigger is polled and that is reported`() async throws {
      _ = try await KernelRig.make()
      let sensor = IIOAccelerometer(name: "lis3dh", pacing: .trigger("no-such-trigger"))
      let (failures, samples) = try await read(3, of: sensor, rate: 20)
      #expect(failures.map(\.code) == [.absent])
      #expect(
        failures.first?.description
          == "\"lis3dh\" cannot be sampled by the trigger \"no-such-trigger\" and is polled instead: "
          + "No such device")
      #expect(samples.last.map { $0.acceleration.y > 9 } == true)
    }

    /// The driver of an MPU6050 without a wired interrupt makes its trigger the current one, too.
    @Test func `a silent trigger of the device's own is replaced by polling`() async throws {
      _ = try await KernelRig.make()
      try write("rigtrig", to: "\(accelerometerFolder)/trigger/current_trigger")
      let silence = try SilentTrigger(named: "rigtrig")
      defer { silence.end() }
      let sensor = IIOAccelerometer(name: "lis3dh")
      let (failures, samples) = try await read(5, of: sensor, rate: 20)
      #expect(
        failures.map(\.description) == [
          "\"lis3dh\" gives no samples by its own trigger \"rigtrig\" and is polled instead: the "
            + "sensor's interrupt may not be wired; \"trigger: none\" polls from the start"
        ])
      #expect(samples.last.map { $0.acceleration.y > 9 } == true)
      let polled = IIOAccelerometer(name: "lis3dh", pacing: .polling)
      #expect(try await read(3, of: polled, rate: 20).failures.isEmpty)
    }

    @Test func `a link to a chip is followed`() async throws {
      let chip = try SecondChip(label: "platen-test")
      defer { chip.remove() }
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: try chip.device).first {
          $0.hasPrefix("gpiochip")
        })
      try FileManager.default.createSymbolicLink(
        atPath: "/dev/gpiochip77", withDestinationPath: name)
      defer { unlink("/dev/gpiochip77") }
      for named in ["gpiochip77", "/dev/gpiochip77"] {
        let button = GPIOButtonLine(.offset(1, chip: named))
        _ = try await button.watch()
        await button.release()
      }
    }

    @Test func `a sensor that another program samples is busy and goes on for it`() async throws {
      let descriptor = open("/dev/iio:device0", O_RDONLY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      try write("1", to: "\(accelerometerFolder)/scan_elements/in_accel_x_en")
      try write("rigtrig", to: "\(accelerometerFolder)/trigger/current_trigger")
      try write("1", to: "\(accelerometerFolder)/buffer/enable")
      let sensor = IIOAccelerometer(name: "lis3dh", pacing: .trigger("rigtrig"))
      let error = await #expect(throws: DeviceError.self) { try await sensor.start(rate: 20) }
      #expect(error?.code == .busy)
      let enable = try String(
        contentsOfFile: "\(accelerometerFolder)/buffer/enable", encoding: .utf8)
      #expect(enable == "1\n")
      try write("0", to: "\(accelerometerFolder)/buffer/enable")
    }

    @Test func `a buffer left running by a dead process is taken over`() async throws {
      try write("1", to: "\(accelerometerFolder)/scan_elements/in_accel_x_en")
      try write("rigtrig", to: "\(accelerometerFolder)/trigger/current_trigger")
      try write("1", to: "\(accelerometerFolder)/buffer/enable")
      let sensor = IIOAccelerometer(name: "lis3dh", pacing: .trigger("rigtrig"))
      let (failures, _) = try await read(3, of: sensor, rate: 20)
      #expect(failures.isEmpty)
    }

    @Test func `samples are stamped by the kernel's monotonic clock`() async throws {
      let sensor = IIOAccelerometer(name: "lis3dh", pacing: .trigger("rigtrig"))
      let (_, samples) = try await read(50, of: sensor, rate: 50)
      let clock = try String(
        contentsOfFile: "\(accelerometerFolder)/current_timestamp_clock", encoding: .utf8)
      #expect(clock.hasPrefix("monotonic"))
      // Samples stamped on arrival would come in batches with one time.
      #expect(Set(samples.map(\.time)).count == 50)
    }

    @Test func `a user without rights is denied`() async throws {
      let button = GPIOButtonLine(.name("SHUTTER"))
      let light = ClassLEDIndicator(name: "rig:green:ready")
      let plainLight = GPIOLineIndicator(.offset(22, chip: "pinctrl-bcm2835"))
      let sensor = IIOAccelerometer(name: "lis3dh", pacing: .trigger("rigtrig"))
      try #require(seteuid(65534) == 0)
      defer { seteuid(0) }
      let codes = [
        await code { _ = try await button.watch() }, await code { try await light.show(.on) },
        await code { try await plainLight.show(.on) },
      ]
      #expect(codes == [.permissionDenied, .permissionDenied, .permissionDenied])
      // A file that all users may read is still read.
      let (failures, samples) = try await read(1, of: sensor, rate: 20)
      #expect(failures.map(\.code) == [.permissionDenied])
      #expect(samples.count == 1)
    }

    private func code(_ body: () async throws -> Void) async -> DeviceError.Code? {
      do { try await body() } catch { return (error as? DeviceError)?.code }
      return nil
    }

    private func read(
      _ count: Int, of sensor: IIOAccelerometer, rate: Double
    ) async throws -> (failures: [DeviceError], samples: [AccelerometerSample]) {
      var failures: [DeviceError] = []
      var samples: [AccelerometerSample] = []
      var events = AccelerometerEvents(try await sensor.start(rate: rate))
      while let event = await events.next() {
        switch event {
        case .failed(let error): failures.append(error)
        case .sample(let sample): samples.append(sample)
        }
        if samples.count == count { break }
      }
      await sensor.stop()
      try #require(samples.count == count)
      return (failures, samples)
    }
  }
}

/// A simulated GPIO chip beside the rig's own, which other drivers hold (`gpio-sim` in configfs).
private struct SecondChip {
  private let folder = "/sys/kernel/config/gpio-sim/test"

  init(label: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/bank0", withIntermediateDirectories: true)
    try write("4", to: "\(folder)/bank0/num_lines")
    try write(label, to: "\(folder)/bank0/label")
    try setLive(true)
  }

  /// The chip's device in sysfs.
  var device: String {
    get throws {
      "/sys/devices/platform/"
        + (try String(contentsOfFile: "\(folder)/dev_name", encoding: .utf8))
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  func setLive(_ isLive: Bool) throws {
    try write(isLive ? "1" : "0", to: "\(folder)/live")
  }

  func remove() {
    try? setLive(false)
    rmdir("\(folder)/bank0")
    rmdir(folder)
  }
}

/// A timer's trigger with a fixed rate of one sample in a quarter of an hour.
private struct SilentTrigger {
  private let rate: String
  private let cover = "/run/platen-test-rate"

  init(named name: String) throws {
    let bus = "/sys/bus/iio/devices"
    let triggers = try FileManager.default.contentsOfDirectory(atPath: bus)
      .filter { $0.hasPrefix("trigger") }.map { "\(bus)/\($0)" }
    let trigger = try #require(
      triggers.first { (try? String(contentsOfFile: "\($0)/name", encoding: .utf8)) == "\(name)\n" }
    )
    rate = "\(trigger)/sampling_frequency"
    try write("0.001", to: rate)
    // A request for another rate is written into another file.
    try "".write(toFile: cover, atomically: false, encoding: .utf8)
    try #require(mount(cover, rate, nil, UInt(MS_BIND), nil) == 0)
  }

  func end() {
    umount(rate)
    try? write("100", to: rate)
  }
}

/// Writes a kernel attribute; a failure names it.
private func write(_ value: String, to path: String) throws {
  let file = try #require(FileHandle(forWritingAtPath: path), "\(path) cannot be opened")
  try file.write(contentsOf: Data(value.utf8))
  try file.close()
}
