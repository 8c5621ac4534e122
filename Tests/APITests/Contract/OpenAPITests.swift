import Devices
import Foundation
import TestSupport
import Testing

@testable import API

/// The description of the API says what the code does, and nothing else.
@Suite struct OpenAPITests {
  private let document: OpenAPIDocument

  init() throws { document = try OpenAPIDocument() }

  @Test func `looking needs the permission to read and acting the permission to act`() {
    let routes = APIRoutes.every()
    #expect(Set(routes.map(\.operation.id)).count == routes.count, "an operation is there twice")
    // The audit log tells of other callers; a check of a text changes nothing. Whoever signs in or
    // out need not be known.
    let exceptions: [String: Permission?] = [
      "audit": .act, "checkConfiguration": .read, "signIn": nil, "signOut": nil,
    ]
    for route in routes {
      let usual: Permission = route.operation.method == .get ? .read : .act
      let wanted: Permission? = exceptions[route.operation.id] ?? usual
      #expect(route.permission == wanted, "\(route.operation.id)")
    }
  }

  @Test func `every schema by hand has its type`() throws {
    let schemas = try document.schemasByHand()
    #expect(Set(schemas) == Set(DescribedType.all.map(\.name) + ["Error"]))
  }

  @Test func `the description is current`() throws {
    var text = try OpenAPIText(
      folder: ReferencePage.repository.appending(path: "Sources/API"))
    let wanted = try text.text(APIRoutes.every().map(\.operation))
    let difference = try ReferencePage.difference(ofFile: "Sources/API/openapi.yaml", wanted)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test func `every reference leads somewhere`() {
    let lost = document.references.filter { !document.resolves($0) }
    #expect(lost.isEmpty)
    #expect(document.references.count > 30)
  }

  @Test func `a client knows the range of each integer that it may send`() {
    #expect(document.unboundedIntegersToSend.isEmpty)
  }

  @Test(arguments: DescribedType.all)
  func `a value of the description is one of the code`(_ type: DescribedType) throws {
    for isComplete in [true, false] {
      let value = try document.example(of: type.name, isComplete: isComplete)
      let json = try JSONSerialization.data(
        withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
      let written = try type.rewritten(json)
      // An unknown property would be lost, and an added one would be too much.
      let again = try JSONSerialization.jsonObject(with: written, options: .fragmentsAllowed)
      let result = try JSONSerialization.data(
        withJSONObject: again, options: [.sortedKeys, .fragmentsAllowed])
      #expect(String(decoding: result, as: UTF8.self) == String(decoding: json, as: UTF8.self))
    }
  }

  @Test(arguments: DescribedType.all)
  func `what the description requires the code requires`(_ type: DescribedType) throws {
    let value = try document.example(of: type.name, isComplete: true)
    guard let object = value as? [String: Any] else { return }
    for key in document.required(of: type.name) {
      var partial = object
      partial[key] = nil
      let json = try JSONSerialization.data(withJSONObject: partial)
      #expect(throws: (any Error).self, "\(key)") { try type.rewritten(json) }
    }
  }
}

/// A type that reads itself, and the schema that describes it.
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
    DescribedType("AccelerometerTestRequest", AccelerometerTestRequest.self),
    DescribedType("BracketSetting", Bracket.self),
    DescribedType("ButtonTestRequest", ButtonTestRequest.self),
    DescribedType("ConfigurationChange", ConfigurationChange.self),
    DescribedType("ConfigurationRollback", ConfigurationRollback.self),
    DescribedType("ControlsReport", ControlsReport.self),
    DescribedType("ExposureSetting", OwnOr<CameraControls.ExposureMode>.self),
    DescribedType("FlickerSetting", CameraControls.FlickerAvoidance.self),
    DescribedType("FocusRequest", FocusRequest.self),
    DescribedType("FocusSetting", OwnOr<CameraControls.FocusMode>.self),
    DescribedType("FrameRateSetting", FrameRateSetting.self),
    DescribedType("IdentificationRequest", IdentificationRequest.self),
    DescribedType("LightTestRequest", LightTestRequest.self),
    DescribedType("PressSettings", PressSettings.self),
    DescribedType("ScaleRequest", ScaleRequest.self),
    DescribedType("SessionChange", SessionChange.self),
    DescribedType("SessionSettingsReport", SessionSettingsReport.self),
    DescribedType("SignInRequest", SignInRequest.self),
    DescribedType("SimulationCommand", SimulationCommand.self),
    DescribedType("SpoolVerificationRequest", SpoolVerificationRequest.self),
    DescribedType("StorageTestRequest", StorageTestRequest.self),
    DescribedType("TargetRetryRequest", TargetRetryRequest.self),
    DescribedType("WhiteBalanceSetting", OwnOr<CameraControls.WhiteBalanceMode>.self),
  ]
}
