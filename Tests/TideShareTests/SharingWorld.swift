import NatsServers
import TideBindings
import TideScript
import TideShare

/// Runtimes that share models over one server, each by a connection of its own.
final class SharingWorld {
  private(set) var all: [Runtime] = []
  private var engines: [NatsEngine] = []
  let server: NatsServer

  init(_ server: NatsServer) { self.server = server }

  deinit {
    all = []
    for engine in engines { engine.close(within: 0) }
  }

  @discardableResult
  func join(
    _ script: String, at address: String? = nil, adjust: (inout NatsOptions) -> Void = { _ in }
  ) throws -> Runtime {
    var options = try NatsOptions(address ?? server.address())
    adjust(&options)
    let engine = try NatsEngine(options, name: "tests")
    engines.append(engine)
    var configuration = Runtime.Configuration()
    configuration.shared = engine
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    all.append(runtime)
    try runtime.evaluate(script, as: Value.self)
    return runtime
  }

  /// Lets all turn until something holds; false where it does not within some seconds.
  func turn(seconds: Double = 15, until condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      if try condition() { return true }
      for runtime in all { runtime.turn(timeout: 0.002) }
    }
    return try condition()
  }

  /// What an expression gives, or why it gives nothing.
  static func text(_ runtime: Runtime, _ expression: String) -> String {
    do { return try runtime.evaluate("tostring(\(expression))", as: String.self) } catch {
      return "\(error)"
    }
  }

  /// Lets all turn until an expression has a value everywhere.
  func comes(_ expression: String, to text: String, seconds: Double = 15) throws -> Bool {
    try turn(seconds: seconds) {
      try all.allSatisfy { try $0.evaluate("tostring(\(expression))", as: String.self) == text }
    }
  }
}
