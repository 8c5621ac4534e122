import NIOCore
import NIOHTTP1

/// A handler that keeps the rules of messages between the parser and the framework.
final class MessageRulesHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private var rules = MessageRules()

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else {
      if rules.isServing { context.fireChannelRead(data) }
      return
    }
    switch rules.take(head) {
    case .serve(let head): context.fireChannelRead(wrapInboundOut(.head(head)))
    // The framework answers each error of the parser with 400, in its turn.
    case .refuse: context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
    case .ignore: break
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(let head) = unwrapOutboundIn(data) else {
      context.write(data, promise: promise)
      return
    }
    context.write(wrapOutboundOut(.head(rules.complete(head))), promise: promise)
  }
}

extension Channel {
  /// Adds the rules of messages to a connection whose parser is there.
  ///
  /// - Throws: the framework's error if there is no parser.
  func addMessageRules() throws {
    let operations = pipeline.syncOperations
    let parser = try operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
    try operations.addHandler(MessageRulesHandler(), position: .after(parser))
  }
}
