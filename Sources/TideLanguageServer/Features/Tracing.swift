import TideSystem

/// Lets the client choose the level of tracing.
struct Tracing: Feature {
  func register(in handlers: inout HandlerTable) {
    handlers.onNotification("$/setTrace") { params, server in server.setTrace(params["value"]) }
  }
}
