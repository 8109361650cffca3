import Foundation
import Testing
import TideBindings
import TideTerminal
import TideViews
import Tidelock
import VirtualTerminals

/// Where the examples and their expected pictures are, and how those that are scripts alone are
/// shown.
enum Examples {
  static let folder = package.appending(path: "examples")
  static let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
  static let readme = package.appending(path: "README.md")

  /// The ones that need no program of their own.
  static let scripts = [
    "board", "converter", "desk", "feed", "fruit", "ledger", "logs", "people", "services", "todo",
  ]

  /// One of them, with something to look at.
  static func shown(
    _ name: String, size: Size = Size(width: 80, height: 24)
  ) throws -> RunningExample {
    let app = try RunningExample(name, size: size)
    // The first page of the feed has come by then.
    try app.advance(by: 1)
    return app
  }

  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// An example as it runs in a terminal, of 80x24 unless told otherwise, on a clock that stands
/// still until it is moved.
///
/// ```swift
/// let app = try RunningExample("todo")
/// try app.press("F2 s l e e p Enter")
/// try expectPicture(app.picture, "todo-added")
/// ```
final class RunningExample {
  let runtime: Runtime
  let scene: Scene
  private let name: String
  private let renderer: TextRenderer
  private let cast = Cast()

  private final class Cast {
    var frames = FrameLog()
  }

  init(
    _ name: String, size: Size = Size(width: 80, height: 24), arguments: [String] = []
  ) throws {
    self.name = name
    renderer = TextRenderer(size: size)
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    configuration.arguments = arguments
    runtime = try Runtime(
      app: Examples.folder.appending(path: "\(name)/app.lua"), configuration: configuration)
    try runtime.load()
    scene = try #require(runtime.scene)
    try scene.mount(
      ObservedRenderer(renderer) { [cast] changes in
        cast.frames.add(changes.frame, areas: changes.isWhole ? nil : changes.areas, at: 0)
      })
    try scene.commit()
  }

  /// What the last frame looked like.
  var picture: String { renderer.text }

  /// The same as an SVG document, which bears the title of the window, else the example's name. It
  /// is drawn from a cast of the app.
  func svg() throws -> String {
    let title = scene.window.viewClass.inherits(from: "window") ? scene.window[.title] : ""
    let terminal = try VirtualTerminal(playing: cast.frames.cast(title: name) ?? "")
    #expect(terminal.complaints == [])
    return terminal.frame.svg(title: title.isEmpty ? name : title)
  }

  /// Presses keys one after the other, and draws after each, as a person sees it.
  func press(_ keys: String) throws {
    for key in try Key.sequence(keys) {
      scene.send(.key(key))
      runtime.settle()
      try scene.commit()
    }
  }

  /// Types a text, which may have blanks.
  func type(_ text: String) throws {
    try press(text.map { $0 == " " ? "Space" : String($0) }.joined(separator: " "))
  }

  /// Lets time pass.
  func advance(by seconds: Double) throws {
    runtime.loop.advance(by: seconds)
    try scene.commit()
  }

  func view(_ id: String) throws -> View { try #require(scene.window.find(id)) }

  func text(_ id: String) throws -> Value { try view(id)["text"] }

  func lua(_ source: String) throws -> Value { try runtime.evaluate(source, as: Value.self) }
}
