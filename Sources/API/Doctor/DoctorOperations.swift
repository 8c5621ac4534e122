extension Operations {
  /// An examination of the rig.
  package static let examine = Endpoint<DoctorPartChoice, DoctorReport>(
    "examine", .get, "/v1/doctor", .read,
    "Examines each part of the rig and gives advice for each fault; takes some seconds.")
}

/// The part of the rig to examine, as the whole input.
package struct DoctorPartChoice: EndpointInput {
  private static let part = EndpointParameter<DoctorPart>.word("part", "Only this part.")

  /// The only part; `nil` for all.
  package var part: DoctorPart?

  package init(_ part: DoctorPart? = nil) { self.part = part }

  package static var parameters: [ParameterDescription] { [part.described] }

  package init(_ request: EndpointRequest) throws(APIError) {
    part = try request.value(Self.part)
  }

  package func write(to request: inout EndpointRequest) { request.set(Self.part, part) }

  /// The parts to examine.
  package var parts: [DoctorPart] { part.map { [$0] } ?? DoctorPart.allCases }
}
