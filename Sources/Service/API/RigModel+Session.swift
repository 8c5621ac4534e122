import API
import Capture
import Devices
import Imaging
import RigConfiguration

/// The API's requests to the capture session.
extension RigModel {
  func addSession(to operations: inout OperationHandlers) {
    operations.on(Operations.session) { await session() }
    operations.on(Operations.sessionCapabilities) { await capabilities() }
    operations.on(Operations.configureSession) { try await configureSession($0) }
    operations.on(Operations.interruptions) { await interruptions() }
    operations.on(Operations.stopSession) { await stopSession() }
    operations.on(Operations.resumeSession) { await resumeSession() }
    operations.on(Operations.switchCamera) { try await switchCamera() }
    operations.on(Operations.focusCamera) { try await focusCamera($0) }
    operations.on(Operations.calibrateCamera) { try await calibrateCamera() }
    operations.on(Operations.measureScale) { try await measureScale($0) }
    operations.on(Operations.forgetCalibration) { try await forgetCalibration() }
  }

  /// The time that a stop may take to release the camera before the API answers anyway.
  private static let timeout = Duration.seconds(5)

  func session() async -> SessionOverview {
    await overview(session.resolvedSettings)
  }

  func capabilities() async -> CapabilitiesReport {
    let status = await session.currentStatus
    guard let camera = status.camera, let stream = status.stream,
      let capabilities = await session.capabilities
    else {
      return CapabilitiesReport(camera: nil, flashModes: session.flashModes.map { Word($0) })
    }
    return CapabilitiesReport(
      capabilities, of: camera, stream, flashModes: session.flashModes,
      lamps: session.bracketLamps)
  }

  func configureSession(_ change: SessionChange) async throws(APIError) -> SessionOverview {
    do throws(ConfigurationFailure) {
      return await overview(
        try await session.configure(
          camera: change.camera.map { CameraRole(rawValue: $0) },
          releasesFocus: change.changed.contains(.focus)
        ) { $0.apply(change) })
    } catch {
      throw APIError(error)
    }
  }

  func stopSession() async -> SessionOverview {
    let events = session.events.listen(where: { if case .session = $0 { true } else { false } })
    await session.stop()
    if await session.currentStatus.camera != nil {
      _ = await answer(within: Self.timeout, clock) { () -> Void? in
        for await case .session(let status) in events where status.camera == nil { return () }
        return nil
      }
    }
    return await session()
  }

  func resumeSession() async -> SessionOverview {
    await session.resume()
    return await session()
  }

  func switchCamera() async throws(APIError) -> SessionOverview {
    do throws(ConfigurationFailure) {
      return await overview(try await session.switchCamera())
    } catch {
      throw APIError(error)
    }
  }

  func focusCamera(_ request: FocusRequest) async throws(APIError) -> SessionOverview {
    do throws(DeviceError) {
      try await session.focus(at: request.focusPoint)
    } catch {
      throw APIError(error)
    }
    return await session()
  }

  func calibrateCamera() async throws(APIError) -> CalibrationReport {
    do throws(DeviceError) {
      return CalibrationReport(try await session.calibrate())
    } catch {
      throw APIError(error)
    }
  }

  func measureScale(_ request: ScaleRequest) async throws(APIError) -> ScaleReport {
    guard let previews else {
      throw APIError(.unavailable, "This service looks at no frames.")
    }
    let sheet = SheetSize(request.widthMillimeters, request.heightMillimeters)
    let found: PreviewMaker.Measurement
    // The sheet is seen in the light in which pictures are taken.
    await session.holdLight()
    do throws(APIError) {
      found = try await previews.measure(sheet)
    } catch {
      await session.releaseLight()
      throw error
    }
    await session.releaseLight()
    do throws(DeviceError) {
      let kept = try await session.keepScale(
        found.scale.pixelsPerInch, of: found.frame, size: found.frameSize, camera: found.camera)
      return ScaleReport(kept, found.scale, configured: configuration?.image.dpi)
    } catch {
      throw APIError(error)
    }
  }

  func forgetCalibration() async throws(APIError) -> SessionOverview {
    do throws(DeviceError) {
      try await session.forgetCalibration()
    } catch {
      throw APIError(error)
    }
    return await session()
  }

  func interruptions() async -> InterruptionList {
    let log = await session.interruptionLog
    return InterruptionList(
      lasting: log.lasting.map { InterruptionReport($0) },
      ended: log.ended.reversed().map { InterruptionReport($0) })
  }

  private func overview(_ resolved: ResolvedSessionSettings) async -> SessionOverview {
    let status = await session.currentStatus
    let focusesAtPoint = await session.capabilities?.focusModes.contains(.autoFocusAtPoint)
    return SessionOverview(
      session: SessionReport(status, now: clock.now, cameraProcess: cameraProcess()),
      settings: SessionSettingsReport(resolved.settings),
      controls: resolved.controls.map { ControlsReport($0) },
      calibration: status.calibration.map { CalibrationReport($0) },
      lens: await session.lensPositions.map {
        LensReport(
          farthest: $0.lowerBound, nearest: $0.upperBound,
          focusesAtPoint: focusesAtPoint == true ? true : nil)
      },
      cameras: session.configuration.cameras.keys.map(\.rawValue).sorted(),
      readiness: ReadinessReport(session.readiness))
  }
}
