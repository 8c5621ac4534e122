import API
import Devices
import Testing

@testable import Console

/// The count of a press's files from the events of a rig.
@Suite struct PressProgressTests {
  private func resolved(_ press: Int64, _ count: Int) -> CaptureProgressReport {
    CaptureProgressReport(press: press, step: .settingsResolved, count: count)
  }

  private func stored(_ press: Int64, _ index: Int, of count: Int) -> CaptureProgressReport {
    CaptureProgressReport(press: press, step: .photoDelivered, count: count, index: index)
  }

  /// Returns the counts that events give.
  private func counts(_ reports: CaptureProgressReport...) -> [PressProgress.Count?] {
    var progress = PressProgress()
    return reports.map { progress.take($0) }
  }

  @Test func `brackets and raw pictures are counted, and a single file is not`() throws {
    #expect(PressProgress(of: PressSettings(bracket: try Bracket("ev=-1,1"))) != nil)
    #expect(PressProgress(of: PressSettings(formats: [.jpeg, .dng])) != nil)
    #expect(PressProgress(of: PressSettings(formats: [.jpeg])) == nil)
    #expect(PressProgress(of: PressSettings()) == nil)
  }

  /// The configuration may add a merged picture and renditions, which the command does not know.
  @Test func `the service says how many files there will be`() {
    #expect(
      counts(resolved(7, 4), stored(7, 1, of: 4), stored(7, 4, of: 4)) == [
        PressProgress.Count(stored: 0, announced: 4),
        PressProgress.Count(stored: 1, announced: 4),
        PressProgress.Count(stored: 4, announced: 4),
      ])
  }

  @Test func `a press before and one after are not counted`() {
    #expect(
      counts(
        stored(6, 1, of: 1), resolved(7, 3), stored(6, 2, of: 2), resolved(8, 1),
        stored(8, 1, of: 1), stored(7, 2, of: 3)
      ) == [
        PressProgress.Count(stored: 1, announced: 1),
        PressProgress.Count(stored: 0, announced: 3), nil, nil, nil,
        PressProgress.Count(stored: 2, announced: 3),
      ])
  }

  @Test func `a press whose announcement was missed is counted`() {
    #expect(
      counts(stored(7, 2, of: 3), stored(6, 1, of: 1), stored(7, 3, of: 3)) == [
        PressProgress.Count(stored: 2, announced: 3), nil,
        PressProgress.Count(stored: 3, announced: 3),
      ])
  }

  @Test func `other steps count nothing`() {
    let steps: [CaptureProgressReport.Step] = [.exposureBegan, .exposureEnded, .captureFinished]
    for step in steps {
      #expect(counts(CaptureProgressReport(press: 7, step: step)) == [nil])
    }
  }
}
