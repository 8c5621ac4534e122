import API
import ArgumentParser
import Console

/// `platenctl test camera`.
struct TestCameraCommand: TestingCommand {
  static let configuration = CommandConfiguration(
    commandName: "camera", abstract: "Take a picture, and read it back from the disk.",
    discussion: "The picture is stored and uploaded as any other.")

  @OptionGroup var connection: ConnectionOptions

  var tests: [any PartTest] { [CameraPartTest()] }

  func run() async throws { try await test() }
}

/// `platenctl test temperature`.
struct TestTemperatureCommand: TestingCommand {
  static let configuration = CommandConfiguration(
    commandName: "temperature", abstract: "See whether temperatures and supply can be right.")

  @OptionGroup var connection: ConnectionOptions

  var tests: [any PartTest] { [TemperaturePartTest()] }

  func run() async throws { try await test() }
}

/// `platenctl test storage`.
struct TestStorageCommand: TestingCommand {
  static let configuration = CommandConfiguration(
    commandName: "storage", abstract: "Write a file beside the pictures and read it back.",
    discussion: "Nothing of the file is left. \"spool verify\" checks the pictures themselves.")

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "How long the file is, 1 to 64 MiB.")
  var mebibytes = 8

  func validate() throws {
    try require(mebibytes, in: StorageTestRequest.mebibytesRange, "--mebibytes")
  }

  var tests: [any PartTest] { [StoragePartTest(StorageTestRequest(mebibytes: mebibytes))] }

  func run() async throws { try await test() }
}

/// `platenctl test network`.
struct TestNetworkCommand: TestingCommand {
  static let configuration = CommandConfiguration(
    commandName: "network", abstract: "See whether there is a way to each target.",
    discussion: "\"network\" shows the same without a verdict.")

  @OptionGroup var connection: ConnectionOptions

  var tests: [any PartTest] { [NetworkPartTest()] }

  func run() async throws { try await test() }
}

/// `platenctl test upload`.
struct TestUploadCommand: TestingCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload", abstract: "Follow a picture until each target has acknowledged it.",
    discussion: """
      What waits is tried now, and the oldest picture is followed; where nothing waits, one is taken. \
      It is a delivery like any other, and so is its receipt.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "How long to wait for the receipts, 1 to 3600 s.")
  var timeout = 60

  func validate() throws { try require(timeout, in: 1...3600, "--timeout") }

  var tests: [any PartTest] { [UploadPartTest(seconds: timeout)] }

  func run() async throws { try await test() }
}

/// `platenctl test all`.
struct TestAllCommand: TestingCommand {
  static let configuration = CommandConfiguration(
    commandName: "all", abstract: "Test all parts, one after the other.",
    discussion: """
      Goes on after a failure; a table at the end says how each went. With --json, or where nobody can \
      be asked, --seen has to say whether the lights are seen.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "How long to wait for a person each time, 1 to 60 s.")
  var timeout = 20

  @Option(help: "How long to wait for the receipts of the upload, 1 to 3600 s.")
  var uploadTimeout = 60

  @Flag(help: "Do not ask for the rig to be turned.")
  var still = false

  @OptionGroup var seeing: SightOptions

  func validate() throws {
    try require(timeout, in: LightTestRequest.secondsRange, "--timeout")
    try require(uploadTimeout, in: 1...3600, "--upload-timeout")
  }

  var sight: TestGuide.Sight? { seeing.seen }

  var tests: [any PartTest] {
    TestPart.allCases.map { part -> any PartTest in
      switch part {
      case .button: ButtonPartTest(ButtonTestRequest(seconds: timeout))
      case .leds: LightPartTest(role: nil, seconds: timeout)
      case .accelerometer:
        AccelerometerPartTest(AccelerometerTestRequest(), isStill: still, seconds: timeout)
      case .camera: CameraPartTest()
      case .temperature: TemperaturePartTest()
      case .storage: StoragePartTest(StorageTestRequest())
      case .network: NetworkPartTest()
      case .upload: UploadPartTest(seconds: uploadTimeout)
      }
    }
  }

  func run() async throws { try await test() }
}
