import Testing
import TideBindings
import TideGraph
import TideScript
import TideViews

/// An app of a text that is drawn after everything that is done to it.
struct ShownApp {
  let runtime: Runtime
  let scene: Scene

  init(_ script: String, width: Int = 40) throws {
    runtime = try Runtime(file: "test.lua", configuration: Runtime.Configuration())
    try runtime.evaluate(script, as: Value.self)
    scene = try #require(runtime.scene)
    try scene.mount(TextRenderer(size: Size(width: width, height: 12)))
    try draw()
  }

  func draw() throws {
    runtime.settle()
    try scene.commit()
    runtime.settle()
    let broken = scene.brokenInvariants()
    #expect(broken.isEmpty, "\(broken.prefix(5))")
  }

  func press(_ keys: String) throws {
    for key in keys.split(separator: " ") {
      try scene.send(keys: String(key))
      try draw()
    }
  }

  func run(_ script: String) throws {
    try runtime.evaluate(script, as: Value.self)
    try draw()
  }

  func holds(_ condition: String) throws -> Bool {
    try runtime.evaluate(condition, as: Bool.self)
  }

  var shown: String { scene.frame.lines.joined(separator: "\n") }

  /// The messages of the errors that are listed.
  var errors: [String] { runtime.bindings.errors.map(\.fullMessage) }
}
