import TideSystem

/// Lets the client choose how much it hears about the server's work.
struct Tracing: Feature {
  func register(in handlers: inout HandlerTable) {
    handlers.onNotification("$/setTrace") { params, server in server.setTrace(params["value"]) }
  }
}
