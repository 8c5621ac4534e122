import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL

/// A server's connections over TCP, each with the address at its other end.
struct NetworkChannel<Base: ServerChildChannel>: ServerChildChannel {
  let base: Base
  let shares: ConnectionShares

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    base.setup(channel: channel, logger: logger)
  }

  @concurrent func handle(value: Base.Value, logger: Logger) async {
    let address = value.channel.remoteAddress?.ipAddress ?? "?"
    let caller = Caller(
      account: .address(address), name: nil, origin: .network(address: address))
    await base.handle(value, as: caller.account, shares, logger: logger) { caller }
  }
}

extension NetworkConfiguration {
  /// What serves the connections, with TLS where it is configured.
  ///
  /// - Throws: ``NetworkError`` when the certificates cannot be used.
  func server(
    _ configuration: HTTP1Channel.Configuration, _ shares: ConnectionShares
  ) throws(NetworkError) -> HTTPServerBuilder {
    guard let tls else {
      return HTTPServerBuilder { responder in
        NetworkChannel(
          base: HTTP1Channel(responder: responder, configuration: configuration), shares: shares)
      }
    }
    let settings = try tls.settings()
    return HTTPServerBuilder { responder in
      let plain = HTTP1Channel(responder: responder, configuration: configuration)
      return NetworkChannel(base: try TLSChannel(plain, tlsConfiguration: settings), shares: shares)
    }
  }
}

extension NetworkConfiguration.TLS {
  fileprivate func settings() throws(NetworkError) -> TLSConfiguration {
    let chain = try reading(certificatePath) { try NIOSSLCertificate.fromPEMFile($0) }
    let key = try reading(keyPath) { try NIOSSLPrivateKey(file: $0, format: .pem) }
    var settings = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    settings.minimumTLSVersion = .tlsv12
    if let clientAuthoritiesPath {
      let authorities = try reading(clientAuthoritiesPath) { try NIOSSLCertificate.fromPEMFile($0) }
      settings.trustRoots = .certificates(authorities)
      settings.certificateVerification = .optionalVerification
      settings.sendCANameList = true
    }
    do { _ = try NIOSSLContext(configuration: settings) } catch {
      throw NetworkError(
        description: "the certificate \"\(certificatePath)\" and the key \"\(keyPath)\" cannot be "
          + "used together: \(error)")
    }
    return settings
  }

  private func reading<Value>(
    _ path: String, _ read: (String) throws -> Value
  ) throws(NetworkError) -> Value {
    do { return try read(path) } catch {
      throw NetworkError(description: "the file \"\(path)\" cannot be used for TLS: \(error)")
    }
  }
}

/// Why the API cannot be served over TCP.
public struct NetworkError: Error, Hashable, CustomStringConvertible {
  /// One sentence: the object quoted, the cause last.
  public let description: String
}
