package import TideSystem

/// The handlers of messages by method.
package struct HandlerTable {
  /// Returns the result, or throws a ``ResponseError``.
  package typealias RequestHandler = (JSONValue, RequestContext) throws -> JSONValue
  package typealias NotificationHandler = (JSONValue, LanguageServer) throws -> Void

  private var requests: [String: RequestHandler] = [:]
  private var notifications: [String: [NotificationHandler]] = [:]

  package init() {}

  /// Handles the requests of a method; a later handler replaces an earlier one.
  package mutating func onRequest(_ method: String, _ handler: @escaping RequestHandler) {
    requests[method] = handler
  }

  /// Adds a handler for the notifications of a method; handlers run in the order of addition.
  package mutating func onNotification(
    _ method: String, _ handler: @escaping NotificationHandler
  ) {
    notifications[method, default: []].append(handler)
  }

  func request(_ method: String) -> RequestHandler? { requests[method] }
  func notification(_ method: String) -> [NotificationHandler] { notifications[method] ?? [] }
}
