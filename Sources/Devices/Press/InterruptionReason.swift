/// The reason of a fault: a session that cannot take pictures, or a part of the rig that fails.
///
/// The reasons are in the order of their importance: of several reasons, a single light shows the
/// first. Lights, log, API, console and doctor name faults by the reasons' spelling.
package enum InterruptionReason: String, Sendable, Hashable, CaseIterable {
  /// The spool failed to write; the service is about to restart.
  case storageFailed
  /// The disk keeps the spool waiting.
  case storageStalled
  /// The spool has no room for another picture.
  case storageFull
  /// The supply voltage is too low.
  case undervoltage
  /// The rig is too hot.
  case thermalPressure
  /// The camera has been unplugged.
  case cameraUnplugged
  /// No camera is present.
  case cameraAbsent
  /// The service lacks the permission to open the camera.
  case cameraNotAuthorized
  /// Another process uses the camera.
  case cameraInUse
  /// No camera object fits the libcamera of the system.
  case cameraLibraryUnknown
  /// The camera's driver gave up waiting for the sensor.
  case cameraTimedOut
  /// The camera has no memory for its frames.
  case buffersExhausted
  /// The camera gives no frames, and its driver reports no fault.
  case cameraStalled
  /// The camera reported a fault.
  case cameraFailed
  /// A technician has stopped the session.
  case stoppedByTechnician
  /// A technician tests a button.
  case buttonTest
  /// A button's line cannot be read.
  case buttonUnreadable
  /// A button has been down for longer than any gesture lasts.
  case buttonStuck
  /// A button was already down when the watch of its line began.
  case buttonHeldAtStart
  /// A button's contact opens and closes continuously.
  case buttonChattering
  /// A lamp cannot be switched; pictures are taken without it, or it may stay lit.
  case lamp
  /// The accelerometer is missing, or its readings are impossible.
  case accelerometer
  /// Pictures are set aside, because a target refused them again and again.
  case deliveryParked

  /// The part of the rig that a reason concerns.
  package enum Part: Sendable, Hashable {
    /// The camera; the arrival of frames ends these reasons.
    case camera
    /// The rest of what a session needs.
    case session
    /// A part without which pictures are taken, too; these reasons refuse no press.
    case rig
  }

  /// The facts that lights, console and doctor show.
  package struct Facts: Sendable {
    /// The part that the reason concerns.
    package let part: Part
    /// The flashes of the fault light.
    ///
    /// The first digit is the part: 1 and 2 the camera, 3 the disk, 4 heat and power, 5 a button,
    /// 6 a technician or another part.
    package let code: BlinkCode
    /// The meaning, a sentence without its full stop.
    package let meaning: String
    /// The advice: one to three sentences for a person at the rig, the first word is the action.
    package let advice: String

    fileprivate init(
      _ part: Part, _ group: Int, _ number: Int, _ meaning: String, _ advice: String
    ) {
      self.part = part
      code = BlinkCode(group, number)
      self.meaning = meaning
      self.advice = advice
    }
  }

  /// The facts of the reason.
  package var facts: Facts {
    switch self {
    case .storageFailed:
      Facts(
        .session, 3, 3, "the disk cannot be written",
        "Copy the pictures away with \"platenctl spool export DIR\" as long as they can be "
          + "read, DIR on a drive that an administrator has mounted. Then replace the card or "
          + "drive.")
    case .storageStalled:
      Facts(
        .session, 3, 2, "the disk does not answer",
        "Wait a minute; presses are taken again as soon as the disk answers. Replace the card "
          + "or drive if it happens again.")
    case .storageFull:
      Facts(
        .session, 3, 1, "the disk is full: pictures wait to be uploaded",
        "Connect the network so that pictures are uploaded. Or run \"platenctl spool export "
          + "DIR\", DIR on a drive that an administrator has mounted, and \"platenctl spool "
          + "delete ID\" for each. What has no receipt is never deleted by itself.")
    case .undervoltage:
      Facts(
        .session, 4, 2, "the supply voltage is too low: look at the power supply",
        "Replace the power supply or its cable by one that is made for this board, and unplug "
          + "what else it feeds.")
    case .thermalPressure:
      Facts(
        .session, 4, 1, "it is too hot",
        "Let the rig cool down, and check its fan, its air holes and the sun on it. Captures "
          + "go on by themselves.")
    case .cameraUnplugged:
      Facts(
        .camera, 1, 2, "the camera has been unplugged",
        "Plug the camera in again; captures go on by themselves.")
    case .cameraAbsent:
      Facts(
        .camera, 1, 1, "there is no camera: look at its cable",
        "Switch the rig off, check the camera's cable at both ends, and start it again. Try "
          + "another cable, then another camera, if it stays absent.")
    case .cameraNotAuthorized:
      Facts(
        .camera, 1, 4, "the service may not open the camera",
        "Add the service's user to the group of the camera's device nodes, which \"ls -l "
          + "/dev/video* /dev/media*\" shows; that takes an administrator. Then \"platenctl "
          + "service restart\".")
    case .cameraInUse:
      Facts(
        .camera, 1, 3, "another program uses the camera",
        "End the program that is named here, or let it have the camera for a while with "
          + "\"platenctl session stop\".")
    case .cameraLibraryUnknown:
      Facts(
        .camera, 1, 5, "the camera library of this system is not supported yet",
        "Install the camera library that is named here, if none is installed. Otherwise let an "
          + "administrator run \"sudo platenctl camera build\", which makes the missing part.")
    case .cameraTimedOut:
      Facts(
        .camera, 2, 2, "the camera's driver waits for the sensor in vain",
        "Check the camera's ribbon cable and its connectors with the power off. Replace the "
          + "camera if that does not help.")
    case .buffersExhausted:
      Facts(
        .camera, 2, 4, "there is no memory for the camera's pictures",
        "Set a smaller \"camera.preset\" or fewer \"camera.ring_frames\", or give the kernel "
          + "more memory for cameras (\"cma=\" on its command line).")
    case .cameraStalled:
      Facts(
        .camera, 2, 1, "the camera gives no pictures",
        "Wait a minute, for the service starts the camera anew by itself. Check cable and "
          + "power supply if it happens again and again.")
    case .cameraFailed:
      Facts(
        .camera, 2, 3, "the camera reports a fault",
        "Look for what the camera has reported with \"platenctl log\". Take a setting that it "
          + "does not have out of the configuration; replace the camera if it fails again and "
          + "again.")
    case .stoppedByTechnician:
      Facts(
        .session, 6, 1, "a technician has stopped captures",
        "Run \"platenctl session resume\" to take pictures again.")
    case .buttonTest:
      Facts(
        .session, 6, 4, "a technician tests a button",
        "Wait until the test of the button is over, two minutes at most.")
    case .buttonUnreadable:
      Facts(
        .rig, 5, 4, "a button's line cannot be read: its presses are not seen",
        "Check the button's \"line\" in the configuration, and that no other program holds that "
          + "line. The service tries it again each second.")
    case .buttonStuck:
      Facts(
        .rig, 5, 1, "a button is stuck, or something lies on it",
        "Free the button, and look whether something lies on it or its cable touches ground.")
    case .buttonHeldAtStart:
      Facts(
        .rig, 5, 2, "a button was down at the start",
        "Let go of the button. Check that \"active_low\" fits the wiring if nobody holds it.")
    case .buttonChattering:
      Facts(
        .rig, 5, 3, "a button's contact or cable is bad",
        "Clean or replace the button, check the plug of its cable, and keep that away from "
          + "motors, lamps and relays. Set a longer \"debounce\" if it is a slow contact.")
    case .lamp:
      Facts(
        .rig, 6, 3, "the lamp cannot be switched: pictures are taken without it",
        "Check the lamp's cable and the name of its light or line in the section \"lamp\" or "
          + "\"lamps\". Pictures are taken without it until then.")
    case .accelerometer:
      Facts(
        .rig, 6, 2, "the accelerometer fails: pictures keep the last orientation",
        "Check the accelerometer's cable, and try it with \"platenctl test accelerometer\"; "
          + "pictures keep the last orientation until then. An administrator can look for its "
          + "address with \"i2cdetect -y 1\".")
    case .deliveryParked:
      Facts(
        .rig, 6, 5, "a target has refused pictures, which are set aside",
        "Look for the target's answer with \"platenctl targets list\", and mend its cause. "
          + "Then \"platenctl spool retry --all-parked\" lets the pictures wait again.")
    }
  }

  /// The reasons that concern the camera.
  package static let ofCamera = allCases.filter { $0.facts.part == .camera }
}
