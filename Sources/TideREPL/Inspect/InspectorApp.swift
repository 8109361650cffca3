import CTideInspector
import TideBindings
package import TideScript
import TideSystem

/// The inspector app, written in Lua. Two functions and a model connect it to the inspected app.
///
/// ```swift
/// let inspector = try InspectorApp { message in client.send(message) }
/// inspector.take(Message("hello", ["name": "fruit"]))
/// try await inspector.runtime.run(renderer)
/// ```
package final class InspectorApp {
  package let runtime: Runtime
  private let wire = InspectorWire()
  /// Messages received but not yet read by the script.
  private var messages: [String] = []
  private var requests = 0

  /// - Parameter send: sends a request to the inspected app.
  package init(
    _ configuration: Runtime.Configuration = Runtime.Configuration(),
    send: @escaping (Message) -> Void
  ) throws {
    runtime = try Runtime(file: "inspector.lua", configuration: configuration)
    runtime.register(searcher: { Self.modules[$0].map { .text($0) } })
    try runtime.register("inspectorWire", wire)
    try runtime.register("inspectorAsk") { [unowned self] (question: String) -> Int in
      requests += 1
      var message = try MessageReader.read(Array(question.utf8)[...])
      message["id"] = .number(requests)
      send(message)
      return requests
    }
    try runtime.register("inspectorMessages") { [unowned self] () -> [String] in
      defer { messages = [] }
      return messages
    }
    try runtime.evaluate("show((require 'inspector'))", as: Value.self)
  }

  /// Receives a message from the inspected app.
  package func take(_ message: Message) {
    messages.append(message.line)
    wire.arrived += 1
    runtime.settle()
  }

  private static let modules: [String: String] = {
    var modules: [String: String] = [:]
    var index = 0
    while true {
      let module = tide_inspector_module(index)
      guard let name = module.name else { return modules }
      let bytes = UnsafeRawBufferPointer(start: module.text, count: module.count)
      modules[String(cString: name)] = String(decoding: bytes, as: UTF8.self)
      index += 1
    }
  }()
}

/// Signals the inspector's script that a message has arrived.
private final class InspectorWire: DataObject {
  @Property var arrived = 0
}
