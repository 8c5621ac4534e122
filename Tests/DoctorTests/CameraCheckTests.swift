import API
import Testing

@testable import Doctor

@Suite struct CameraCheckTests {
  /// Names of the kernel's video nodes, and whether they belong to a camera.
  static let names: [(String?, Bool)] = [
    ("unicam-image", true), ("unicam-embedded", true), ("rp1-cfe-csi2_ch0", true),
    ("rp1-cfe-fe_config", true), ("Raw Capture 0", true), ("RGB/YUV Capture", true),
    ("HD Pro Webcam C920", true), ("mmal service 16.1", true), ("", true), (nil, true),
    ("bcm2835-codec-decode", false), ("bcm2835-codec-encode_image", false),
    ("bcm2835-isp-capture0", false), ("pispbe-input", false), ("pispbe-output0", false),
    ("rpivid", false), ("rpi-hevc-dec", false),
  ]

  @Test(arguments: names) func `a node that is no codec is a camera`(
    _ name: String?, _ isCamera: Bool
  ) {
    #expect(CameraVideoNodes.isCamera(name) == isCamera)
  }

  @Test func `the nodes are sorted by the kernel's names`() throws {
    let machine = try FakeMachine()
    let nodes = CameraVideoNodes(["video0", "video7", "video10", "video13"], files: machine.files)
    #expect(nodes.cameras.map(\.file) == ["video0", "video7"])
    #expect(nodes.codecs.map(\.file) == ["video10", "video13"])
    #expect(CameraVideoNodes.list(nodes.cameras) == "unicam-image, /dev/video7")
  }

  private func offline(_ use: CameraUse, _ machine: FakeMachine) async throws
    -> [DoctorReport.Finding]
  {
    var evidence = try machine.evidence(isServiceRunning: false)
    evidence.cameraUse = { use }
    return await evidence.check(of: .cameras).findings()
  }

  /// A technician may lack the group of the nodes; a busy camera does not count as free for that.
  @Test func `a node that this account may not open is not reported as free`() async throws {
    let machine = try FakeMachine()
    let hidden = try await offline(.hidden(["/dev/media0", "/dev/video0"]), machine)
    #expect(hidden.map(\.verdict) == [.notChecked])
    #expect(hidden[0].seen.contains("this account may not look"))
    #expect(hidden[0].seen.contains("/dev/media0, /dev/video0"))
    let free = try await offline(.unused, machine)
    #expect(free.map(\.verdict) == [.ok])
    // A node that the service may not open is a fault for every account that looks.
    try machine.write("", to: "/dev/media0", mode: 0o600)
    let forbidden = try await offline(.hidden(["/dev/media0"]), machine)
    #expect(forbidden.map(\.code) == ["cameraNotAuthorized"])
  }

  @Test func `a single camera among codecs is enough`() async throws {
    let machine = try FakeMachine()
    try machine.write("rpi-hevc-dec", to: "/sys/class/video4linux/video0/name")
    let none = try await offline(.unused, machine)
    #expect(none.map(\.code) == ["cameraAbsent"])
    try machine.write("RGB/YUV Capture", to: "/sys/class/video4linux/video0/name")
    let one = try await offline(.unused, machine)
    #expect(one.map(\.verdict) == [.ok] && one[0].seen.contains("RGB/YUV Capture"))
  }

  /// A picture that shows only a part of the page is no fault, but is reported.
  @Test func `an adjustment by the camera is reported`() async throws {
    let sentence = "The picture shows 100 % of the sensor's width and 75 % of its height."
    let check = CameraCheck(
      roles: ["main"],
      session: SessionReport(
        state: "running", camera: CameraReport(id: "1", model: "imx219"),
        adjustments: [sentence, "It gives rgb."], framesSeen: 5),
      reasons: [], user: nil, files: try FakeMachine().files, use: { .unused },
      libraryProblem: { nil })
    let findings = await check.findings()
    #expect(findings.map(\.verdict) == [.ok])
    #expect(findings[0].seen == "imx219, 5 frames. \(sentence) It gives rgb.")
  }
}
