@testable import API

extension FakeRig {
  var operations: OperationHandlers {
    var operations = OperationHandlers()
    operations.on(Operations.status) { [self] in await status() }
    operations.on(Operations.history) { Samples.history }
    operations.on(Operations.simulate) { [self] command in
      try await simulate(command)
      return SimulationReport(done: command)
    }
    addPresses(to: &operations)
    addSession(to: &operations)
    addMovie(to: &operations)
    addSpool(to: &operations)
    addConfiguration(to: &operations)
    addTests(to: &operations)
    operations.on(Operations.examine) { [self] in await examine($0.parts) }
    operations.on(Operations.network) { [self] in await network() }
    operations.on(Operations.time) { [self] in await time() }
    operations.on(Operations.preview) { [self] in try await preview($0) }
    operations.on(Operations.previewPage) { [self] in try await previewPage() }
    operations.on(Operations.accelerometer) { [self] in await accelerometer() }
    return operations
  }

  private func addPresses(to operations: inout OperationHandlers) {
    operations.on(Operations.presses) { [self] in try await presses($0) }
    operations.on(Operations.shoot) { [self] in try await shoot($0) }
    operations.on(Operations.pressCounts) { [self] in try await pressCounts() }
    operations.on(Operations.lostEdges) { [self] in try await lostEdges(limit: $0.limit) }
    operations.on(Operations.press, missing: PressNumber.missing) { [self] in
      try await press(number: $0.number)
    }
  }

  private func addSession(to operations: inout OperationHandlers) {
    operations.on(Operations.session) { [self] in await session() }
    operations.on(Operations.sessionCapabilities) { SessionSamples.capabilities }
    operations.on(Operations.configureSession) { [self] in try await configureSession($0) }
    operations.on(Operations.interruptions) { [self] in await interruptions() }
    operations.on(Operations.stopSession) { [self] in await stopSession() }
    operations.on(Operations.resumeSession) { [self] in await resumeSession() }
    operations.on(Operations.switchCamera) { [self] in try await switchCamera() }
    operations.on(Operations.focusCamera) { [self] in try await focusCamera($0) }
    operations.on(Operations.calibrateCamera) { [self] in try await calibrateCamera() }
    operations.on(Operations.measureScale) { [self] in try await measureScale($0) }
    operations.on(Operations.forgetCalibration) { [self] in try await forgetCalibration() }
  }

  private func addMovie(to operations: inout OperationHandlers) {
    operations.on(Operations.movie) { [self] in try await movie("status") }
    operations.on(Operations.startMovie) { [self] in try await movie("start") }
    operations.on(Operations.pauseMovie) { [self] in try await movie("pause") }
    operations.on(Operations.resumeMovie) { [self] in try await movie("resume") }
    operations.on(Operations.stopMovie) { [self] in try await stopMovie() }
  }

  private func addSpool(to operations: inout OperationHandlers) {
    operations.on(Operations.spoolStatistics) { [self] in try await spoolStatistics() }
    operations.on(Operations.spoolItems) { [self] in try await spoolItems($0) }
    operations.on(Operations.deleteSpoolItem) { [self] item in
      try await deleteSpoolItem(id: item.id)
      return DeletionReport(deleted: item.id)
    }
    operations.on(Operations.retrySpoolItem) { [self] in try await retrySpoolItem(id: $0.id) }
    operations.on(Operations.deleteQuarantined) { [self] _ in
      try await deleteQuarantinedSpoolItems()
    }
    operations.on(Operations.retryParked) { [self] in try await retryParkedSpoolItems() }
    operations.on(Operations.spoolVerificationProgress) { [self] in
      try await spoolVerificationProgress()
    }
    operations.on(Operations.verifySpool) { [self] in try await verifySpool(repair: $0.repair) }
  }

  private func addConfiguration(to operations: inout OperationHandlers) {
    operations.on(Operations.declarations) { ConfigurationSamples.declarations }
    operations.on(Operations.configurationFile) { [self] in try await configurationFile() }
    operations.on(Operations.changeConfiguration) { [self] in try await changeConfiguration($0) }
    operations.on(Operations.configurationHistory) { [self] in try await configurationHistory() }
    operations.on(Operations.configurationDifference) { [self] in
      try await configurationDifference(from: $0.number)
    }
    operations.on(Operations.checkConfiguration) { [self] in await checkConfiguration($0.text) }
    operations.on(Operations.rollBackConfiguration) { [self] in
      try await rollBackConfiguration($0)
    }
  }

  private func addTests(to operations: inout OperationHandlers) {
    operations.on(Operations.testButton) { [self] in try await testButton($0) }
    operations.on(Operations.testLight) { [self] in try await testLight($0) }
    operations.on(Operations.identify) { request in
      IdentificationReport(lights: ["ready"], seconds: Double(request.seconds ?? 15))
    }
    operations.on(Operations.testAccelerometer) { [self] in try await testAccelerometer($0) }
    operations.on(Operations.testStorage) { [self] in try await testStorage($0) }
    operations.on(Operations.retryTargets) { [self] in try await retryTargets($0.target) }
    operations.on(Operations.pauseUploads) { [self] in await setUploadsPaused(true) }
    operations.on(Operations.resumeUploads) { [self] in await setUploadsPaused(false) }
  }
}
