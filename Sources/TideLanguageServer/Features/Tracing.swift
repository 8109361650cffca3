import TideSystem

/// How much the client is told of the server's work.
struct Tracing: Feature {
  func register(in handlers: inout HandlerTable) {
    handlers.onNotification("$/setTrace") { params, server in server.setTrace(params["value"]) }
  }
}
