import RecorderProgram

/// The start of the program `platen-recorder`, which records a part of a movie for the service.
@main enum Program {
  static func main() {
    RecorderServer.serve()
  }
}
