import Foundation
import Testing

@testable import API

/// The description of the API says what the code does, and nothing else.
@Suite struct OpenAPITests {
  private let document: OpenAPIDocument

  init() throws { document = try OpenAPIDocument() }

  @Test func everyRouteIsDescribedWithItsPermissionAndNothingElseIs() {
    let routes = APIRoutes.every().map {
      OpenAPIDocument.Operation(
        method: "\($0.method)", path: $0.path, permission: $0.permission.rawValue)
    }
    #expect(Set(routes).count == routes.count, "a route is there twice")
    #expect(Set(routes) == Set(document.operations))
  }

  @Test func everyReferenceLeadsSomewhere() {
    let lost = document.references.filter { !document.resolves($0) }
    #expect(lost.isEmpty)
    #expect(document.references.count > 30)
  }

  @Test func aClientKnowsTheRangeOfEachIntegerThatItMaySend() {
    #expect(document.unboundedIntegersToSend.isEmpty)
  }

  @Test(arguments: DescribedType.all)
  func aValueOfTheDescriptionIsOneOfTheCode(_ type: DescribedType) throws {
    for isComplete in [true, false] {
      let value = try document.example(of: type.name, isComplete: isComplete)
      let json = try JSONSerialization.data(
        withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
      let written = try type.rewritten(json)
      // What the code does not know would be gone, and what it adds would be too much.
      let again = try JSONSerialization.jsonObject(with: written, options: .fragmentsAllowed)
      let result = try JSONSerialization.data(
        withJSONObject: again, options: [.sortedKeys, .fragmentsAllowed])
      #expect(String(decoding: result, as: UTF8.self) == String(decoding: json, as: UTF8.self))
    }
  }

  @Test(arguments: DescribedType.all)
  func whatTheDescriptionRequiresTheCodeRequires(_ type: DescribedType) throws {
    let value = try document.example(of: type.name, isComplete: true)
    guard let object = value as? [String: Any] else { return }
    for key in document.required(of: type.name) {
      var partial = object
      partial[key] = nil
      let json = try JSONSerialization.data(withJSONObject: partial)
      #expect(throws: (any Error).self, "\(key)") { try type.rewritten(json) }
    }
  }

  @Test func everySchemaHasItsType() {
    let known = DescribedType.all.map(\.name) + ["Error"]
    #expect(Set(known) == Set(document.schemas.keys))
  }
}

/// A type of the code and the schema that describes it.
struct DescribedType: Sendable, CustomTestStringConvertible {
  let name: String
  private let rewrite: @Sendable (Data) throws -> [UInt8]

  init<Value: Codable & Sendable>(_ name: String, _ type: Value.Type) {
    self.name = name
    rewrite = { try APICoding.encode(try APICoding.decode(type, from: $0)) }
  }

  /// Reads a value as the code does and writes it again.
  func rewritten(_ json: Data) throws -> Data { Data(try rewrite(json)) }

  var testDescription: String { name }

  static let all: [DescribedType] = [
    DescribedType("AccelerometerReading", AccelerometerReport.Reading.self),
    DescribedType("AccelerometerReport", AccelerometerReport.self),
    DescribedType("AccelerometerTestReport", AccelerometerTestReport.self),
    DescribedType("AccelerometerTestRequest", AccelerometerTestRequest.self),
    DescribedType("AuditEntry", AuditEntry.self),
    DescribedType("AuditEntryList", AuditEntryList.self),
    DescribedType("AuditNote", AuditNote.self),
    DescribedType("AuditNoteStage", AuditNote.Stage.self),
    DescribedType("AuditReport", AuditReport.self),
    DescribedType("ButtonReport", ButtonReport.self),
    DescribedType("ButtonTestEdge", ButtonTestReport.Edge.self),
    DescribedType("ButtonTestGesture", ButtonTestReport.Gesture.self),
    DescribedType("ButtonTestPress", ButtonTestReport.Press.self),
    DescribedType("ButtonTestReport", ButtonTestReport.self),
    DescribedType("ButtonTestRequest", ButtonTestRequest.self),
    DescribedType("CalibrationReport", CalibrationReport.self),
    DescribedType("CallerReport", CallerReport.self),
    DescribedType("CameraProcessEnd", CameraProcessReport.End.self),
    DescribedType("CameraProcessReport", CameraProcessReport.self),
    DescribedType("CameraReport", CameraReport.self),
    DescribedType("CaptureProgressReport", CaptureProgressReport.self),
    DescribedType("CaptureProgressStep", CaptureProgressReport.Step.self),
    DescribedType("CaptureTimeReport", CaptureTimeReport.self),
    DescribedType("ConfigurationChange", ConfigurationChange.self),
    DescribedType("ConfigurationChangeReport", ConfigurationChangeReport.self),
    DescribedType("ConfigurationCheckReport", ConfigurationCheckReport.self),
    DescribedType("ConfigurationDifference", ConfigurationDifference.self),
    DescribedType("ConfigurationHistory", ConfigurationHistory.self),
    DescribedType("ConfigurationHistoryEntry", ConfigurationHistoryEntry.self),
    DescribedType("ConfigurationReport", ConfigurationReport.self),
    DescribedType("ConfigurationRollback", ConfigurationRollback.self),
    DescribedType("ControlsReport", ControlsReport.self),
    DescribedType("DeletionReport", DeletionReport.self),
    DescribedType("DeliveryReport", DeliveryReport.self),
    DescribedType("DeliveryStateReport", DeliveryStateReport.self),
    DescribedType("DoctorFinding", DoctorReport.Finding.self),
    DescribedType("DoctorPart", DoctorPart.self),
    DescribedType("DoctorReport", DoctorReport.self),
    DescribedType("DoctorVerdict", DoctorReport.Verdict.self),
    DescribedType("EndingEnding", EndingReport.Ending.self),
    DescribedType("EndingReport", EndingReport.self),
    DescribedType("ExposureWish", ExposureWish.self),
    DescribedType("FlickerWish", FlickerWish.self),
    DescribedType("FocusWish", FocusWish.self),
    DescribedType("FrameRateWish", FrameRateWish.self),
    DescribedType("HealthReport", HealthReport.self),
    DescribedType("InterruptionList", InterruptionList.self),
    DescribedType("InterruptionReport", InterruptionReport.self),
    DescribedType("LampReport", LampReport.self),
    DescribedType("LensReport", LensReport.self),
    DescribedType("LightReport", LightReport.self),
    DescribedType("LightTestReport", LightTestReport.self),
    DescribedType("LightTestRequest", LightTestRequest.self),
    DescribedType("LogEntry", LogEntry.self),
    DescribedType("LogEntryList", LogEntryList.self),
    DescribedType("LostEdgesGap", LostEdgesList.Gap.self),
    DescribedType("LostEdgesList", LostEdgesList.self),
    DescribedType("MissedEvents", MissedEvents.self),
    DescribedType("NetworkDefaultRoute", NetworkReport.DefaultRoute.self),
    DescribedType("NetworkInterface", NetworkReport.Interface.self),
    DescribedType("NetworkNameServer", NetworkReport.NameServer.self),
    DescribedType("NetworkReport", NetworkReport.self),
    DescribedType("NetworkRoute", NetworkReport.Route.self),
    DescribedType("PressCountsCount", PressCountsReport.Count.self),
    DescribedType("PressCountsReport", PressCountsReport.self),
    DescribedType("PressList", PressList.self),
    DescribedType("PressOutcome", PressReport.Outcome.self),
    DescribedType("PressReport", PressReport.self),
    DescribedType("PressSettings", PressSettings.self),
    DescribedType("PressSummary", PressSummary.self),
    DescribedType("PreviewReport", PreviewReport.self),
    DescribedType("QuarantineDeletionReport", QuarantineDeletionReport.self),
    DescribedType("ReadinessReport", ReadinessReport.self),
    DescribedType("ReceiptReport", ReceiptReport.self),
    DescribedType("RigStatus", RigStatus.self),
    DescribedType("RotationReport", RotationReport.self),
    DescribedType("ScaleReport", ScaleReport.self),
    DescribedType("ScaleRequest", ScaleRequest.self),
    DescribedType("SessionChange", SessionChange.self),
    DescribedType("SessionOverview", SessionOverview.self),
    DescribedType("SessionReport", SessionReport.self),
    DescribedType("SessionSettingsReport", SessionSettingsReport.self),
    DescribedType("SimulationCommand", SimulationCommand.self),
    DescribedType("SimulationReport", SimulationReport.self),
    DescribedType("SizeReport", SizeReport.self),
    DescribedType("SpoolItemList", SpoolItemList.self),
    DescribedType("SpoolItemReport", SpoolItemReport.self),
    DescribedType("SpoolReport", SpoolReport.self),
    DescribedType("SpoolRetryReport", SpoolRetryReport.self),
    DescribedType("SpoolStatisticsReport", SpoolStatisticsReport.self),
    DescribedType("SpoolStatisticsStateTotal", SpoolStatisticsReport.StateTotal.self),
    DescribedType("SpoolStatisticsTargetTotal", SpoolStatisticsReport.TargetTotal.self),
    DescribedType("SpoolVerificationFinding", SpoolVerificationReport.Finding.self),
    DescribedType("SpoolVerificationProgress", SpoolVerificationProgress.self),
    DescribedType("SpoolVerificationReport", SpoolVerificationReport.self),
    DescribedType("SpoolVerificationRequest", SpoolVerificationRequest.self),
    DescribedType("StorageTestReport", StorageTestReport.self),
    DescribedType("StorageTestRequest", StorageTestRequest.self),
    DescribedType("TargetProbeReport", TargetProbeReport.self),
    DescribedType("TargetProbeStep", TargetProbeReport.Step.self),
    DescribedType("TargetReport", TargetReport.self),
    DescribedType("TargetRetryReport", TargetRetryReport.self),
    DescribedType("TargetRetryRequest", TargetRetryRequest.self),
    DescribedType("TargetRunning", TargetReport.Running.self),
    DescribedType("TemperatureReport", TemperatureReport.self),
    DescribedType("TestProblem", TestProblem.self),
    DescribedType("ThermalConstraintsReport", ThermalConstraintsReport.self),
    DescribedType("ThermalLimitsReport", ThermalLimitsReport.self),
    DescribedType("ThermalReport", ThermalReport.self),
    DescribedType("ThrottleReport", ThrottleReport.self),
    DescribedType("TimeReport", TimeReport.self),
    DescribedType("UploadPauseReport", UploadPauseReport.self),
    DescribedType("WhiteBalanceWish", WhiteBalanceWish.self),
  ]
}
