import Platen
import Testing

struct SecretFileTests {
  @Test("A credential lies in systemd's directory, a path where it says")
  func path() {
    let environment = ["CREDENTIALS_DIRECTORY": "/run/credentials/platend.service"]
    #expect(
      SecretFile.credential("upload").path(environment: environment)
        == "/run/credentials/platend.service/upload")
    #expect(SecretFile.credential("upload").path(environment: [:]) == nil)
    #expect(
      SecretFile.credential("upload").path(environment: ["CREDENTIALS_DIRECTORY": ""]) == nil)
    #expect(SecretFile.path("/etc/secret").path(environment: [:]) == "/etc/secret")
  }
}
