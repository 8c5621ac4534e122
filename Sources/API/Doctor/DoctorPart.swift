/// A part of the rig that the doctor examines; the cases are in the order of the examination.
///
/// A fault of an earlier part often causes a fault of a later one.
package enum DoctorPart: String, Sendable, Hashable, Codable, CaseIterable {
  /// The configuration file.
  case configuration
  /// The service itself: whether it runs, and if not, why.
  case service
  /// The wall clock.
  case clock
  /// The supply voltage, and the firmware's reaction to it.
  case supply
  /// The temperatures of the zones.
  case temperatures
  /// The file system of the spool.
  case storage
  /// The spool's index and its pictures.
  case index
  /// The cameras and their process.
  case cameras
  /// The program that records movies.
  case recorder
  /// The buttons' lines and contacts.
  case buttons
  /// The lights that show the rig's state.
  case lights
  /// The accelerometer.
  case accelerometer
  /// The light that illuminates the pages.
  case lamp
  /// The device tree, compared with the kernel's devices and the configuration.
  case wiring
  /// Interfaces, routes and name servers.
  case network
  /// The targets that pictures are uploaded to.
  case targets
}
