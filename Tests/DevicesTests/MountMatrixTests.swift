import Devices
import Testing

@Suite struct MountMatrixTests {
  @Test(arguments: [
    ("1, 0, 0; 0, 1, 0; 0, 0, 1", Acceleration(x: 1, y: 2, z: 3)),
    ("0, 1, 0; -1, 0, 0; 0, 0, 1", Acceleration(x: 2, y: -1, z: 3)),
    ("0,0,-1;0,1,0;1,0,0\n", Acceleration(x: -3, y: 2, z: 1)),
  ])
  func `a matrix turns readings`(_ text: String, _ expected: Acceleration) throws {
    let matrix = try #require(MountMatrix(kernelText: text))
    #expect(matrix.applied(to: Acceleration(x: 1, y: 2, z: 3)) == expected)
  }

  @Test(arguments: [
    "", "1,0,0;0,1,0", "1,0;0,1;0,0", "1,0,0;0,1,0;0,0,x", "1,0,0;0,1,0;0,0,inf",
    "0,0,0;0,0,0;0,0,0", "1,0,0;1,0,0;0,0,1", "1,0,0,0;0,1,0;0,0,1", ";;", "nan,0,0;0,1,0;0,0,1",
  ])
  func `an invalid matrix is refused`(_ text: String) {
    #expect(MountMatrix(kernelText: text) == nil)
  }
}
