/// A part of the rig that the doctor examines; the cases are in the order of the examination.
///
/// What an earlier part lacks is often the cause of what is wrong with a later one.
public enum DoctorPart: String, Sendable, Hashable, Codable, CaseIterable {
  /// The configuration file.
  case configuration
  /// The service itself: whether it runs, and why not.
  case service
  /// The wall clock.
  case clock
  /// The supply voltage, and what the firmware does about it.
  case supply
  /// How hot the zones are.
  case temperatures
  /// The file system of the spool.
  case storage
  /// The spool's index and its pictures.
  case index
  /// The cameras and their process.
  case cameras
  /// The buttons' lines and contacts.
  case buttons
  /// The lights that show the rig's state.
  case lights
  /// The accelerometer.
  case accelerometer
  /// The light that pages are pictured by.
  case lamp
  /// Interfaces, routes and name servers.
  case network
  /// The places that pictures go to.
  case targets
}
