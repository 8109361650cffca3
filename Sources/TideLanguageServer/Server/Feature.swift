package import TideSystem

/// Something that the server does for its client: the capabilities that it announces, and the
/// messages that it handles. Each has a file of its own.
///
/// ```swift
/// struct Hover: Feature {
///   func capabilities(for client: ClientCapabilities) -> JSONValue { ["hoverProvider": true] }
///
///   func register(in handlers: inout HandlerTable) {
///     handlers.onRequest("textDocument/hover") { params, context in
///       let document = try context.document(in: params)
///       let offset = try document.text.offset(of: TextPosition(params["position"]))
///       try context.cancellation.check()
///       return ["contents": "byte \(offset)"]
///     }
///   }
/// }
/// ```
///
/// A feature takes effect when ``LanguageServer/features`` lists it. One that keeps state between
/// messages is a class. The server's thread makes all calls.
package protocol Feature {
  /// The fields that it adds to the server's capabilities.
  func capabilities(for client: ClientCapabilities) -> JSONValue

  /// Adds handlers for its messages.
  func register(in handlers: inout HandlerTable)

  /// Called after texts, files or folders have changed.
  func note(_ event: WorkspaceEvent, in server: LanguageServer)

  /// Does a little deferred work while no message waits, and returns when there is more to do.
  ///
  /// A message that arrives meanwhile has to wait, so a call should take a few milliseconds.
  func work(in server: LanguageServer) -> RemainingWork
}

extension Feature {
  package func capabilities(for client: ClientCapabilities) -> JSONValue { [:] }
  package func register(in handlers: inout HandlerTable) {}
  package func note(_ event: WorkspaceEvent, in server: LanguageServer) {}
  package func work(in server: LanguageServer) -> RemainingWork { .none }
}

/// Whether a feature has more deferred work, and when.
package enum RemainingWork: Equatable {
  case none
  case now
  /// After so many seconds, if no message comes before.
  case later(Double)
}

/// What has changed in the client's workspace. Documents are named by their paths.
package enum WorkspaceEvent: Equatable {
  case opened(String)
  case changed(String)
  case saved(String)
  /// A document was closed: the text on the disk counts again.
  case closed(String)
  /// Files were written, created or removed outside the client.
  case filesChanged([String])
  case rootsChanged
  /// The errors of the running app in a file have changed.
  case errorsChanged(String)
}
