/// The error of a source of press numbers that gives none.
package struct NoNumber: Error {
  package init() {}
}
