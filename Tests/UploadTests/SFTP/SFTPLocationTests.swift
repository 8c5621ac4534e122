import Testing

@testable import Upload

@Suite struct SFTPLocationTests {
  static let good: [(String, String, String)] = [
    ("sftp://nas/volume1/scans", "sftp://nas/volume1/scans/a%20b", "/volume1/scans/a b"),
    ("SFTP://NAS:2222/x/", "sftp://nas:2222/x/a%20b", "/x/a b"),
    ("sftp://nas/~/scans", "sftp://nas/~/scans/a%20b", "scans/a b"),
    ("sftp://nas/~/", "sftp://nas/~/a%20b", "a b"),
    ("sftp://[::1]:22/x%20y", "sftp://[::1]:22/x%20y/a%20b", "/x y/a b"),
  ]

  @Test(arguments: good)
  func `a URL gives the URLs and the paths of files`(
    _ text: String, _ url: String, _ path: String
  ) throws {
    let location = try #require(SFTPLocation(text))
    #expect(location.url(["a b"]) == url)
    #expect(location.path(["a b"]) == path)
  }

  @Test(arguments: [
    "", "nas:/x", "http://nas/x", "sftp://nas", "sftp://nas/", "sftp:///x", "sftp://rig@nas/x",
    "sftp://nas:0/x", "sftp://nas/x?y", "sftp://nas/x#y", "sftp://nas/../x", "sftp://nas/x%2Fy",
    "sftp://nas/x%0Ay", "sftp://nas/%", "sftp://nas/x y",
  ])
  func `a URL that leads elsewhere is refused`(_ text: String) {
    #expect(SFTPLocation(text) == nil)
  }
}
