package import TideSystem

/// The handlers of each method's messages.
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

  /// Handles the notifications of a method, after the handlers that were added before.
  package mutating func onNotification(
    _ method: String, _ handler: @escaping NotificationHandler
  ) {
    notifications[method, default: []].append(handler)
  }

  func request(_ method: String) -> RequestHandler? { requests[method] }
  func notification(_ method: String) -> [NotificationHandler] { notifications[method] ?? [] }
}
