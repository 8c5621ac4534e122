package import PageSense
package import RigConfiguration

extension PageLimits {
  /// Makes the limits that a configuration has.
  package init(_ section: PageSection) {
    self.init(
      minimumLetterHeight: section.minimumLetterHeight, maximumSkew: section.maximumSkew)
  }
}
