import API
import Spool
import Testing

/// The words of reports are those of the parts whose states they show.
@Suite struct WordsOfPartsTests {
  @Test func `the API has the spool's states`() {
    #expect(
      SpoolItemReport.State.allCases.map(\.rawValue) == ItemState.allCases.map(\.rawValue))
    #expect(
      DeliveryStateReport.State.allCases.map(\.rawValue)
        == DeliveryState.allCases.map(\.rawValue))
  }
}
