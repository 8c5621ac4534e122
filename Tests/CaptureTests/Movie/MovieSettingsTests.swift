import Devices
import Testing

@testable import Capture

@Suite struct MovieSettingsTests {
  static let sizes: [(MoviePreset, FrameSize, FrameSize)] = [
    (.hd1280x720, FrameSize(width: 4056, height: 3040), FrameSize(width: 1280, height: 720)),
    (.hd1920x1080, FrameSize(width: 4608, height: 2592), FrameSize(width: 1920, height: 1080)),
    (.hd1920x1080, FrameSize(width: 1080, height: 1920), FrameSize(width: 1080, height: 606)),
    (.hd1920x1080, FrameSize(width: 640, height: 480), FrameSize(width: 640, height: 360)),
    (.fullFieldOfView, FrameSize(width: 4056, height: 3040), FrameSize(width: 1662, height: 1246)),
    (.fullFieldOfView, FrameSize(width: 641, height: 481), FrameSize(width: 640, height: 480)),
    (.fullFieldOfView, FrameSize(width: 1, height: 1), FrameSize(width: 2, height: 2)),
  ]

  @Test(arguments: sizes)
  func `a preset has even sizes that are never enlarged`(
    preset: MoviePreset, frame: FrameSize, expected: FrameSize
  ) {
    #expect(preset.size(of: frame) == expected)
  }

  @Test func `heat makes pictures smaller in the same shape`() {
    let frame = FrameSize(width: 4608, height: 2592)
    for preset in MoviePreset.allCases {
      let size = preset.size(of: frame, maximumArea: 1280 * 720)
      #expect(size == FrameSize(width: 1280, height: 720))
    }
  }

  @Test func `impossible settings are refused with their number`() {
    #expect(MovieSettings().refusal == nil)
    func refusal(_ change: (inout MovieSettings) -> Void) -> String {
      var settings = MovieSettings()
      change(&settings)
      return settings.refusal?.description ?? ""
    }
    #expect(refusal { $0.frameRate = .nan }.contains("nan"))
    #expect(refusal { $0.frameRate = 121 }.contains("121.0"))
    #expect(refusal { $0.compression = .bitRate(99_999) }.contains("99999"))
  }
}
