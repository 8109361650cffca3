import Foundation
import Fuzzing
import TideScript

@testable import Monitor

/// An app that the laws are tried on.
struct LawApp: Sendable {
  let name: String
  var files: [String: String]
  /// A folder with pictures that it shows.
  var assets: URL?
  /// Time must have passed for all that its timers and tasks have begun before it is reloaded,
  /// because these begin anew.
  var hasTimers = false
  /// Whether its bindings have delays.
  var hasDelays: Bool { files.values.contains { $0.contains("delay =") } }
  /// What was chosen for a generated app, which no file shows.
  var parts: String {
    guard name == "generated", let script = files["app.lua"] else { return "" }
    return "\n  " + script.dropFirst(LawWorld.models.count).replacing("\n", with: "\n  ")
  }
  /// Makes its runtime, and what has to be kept with that.
  var make: @Sendable (String, Runtime.Configuration) throws -> (Runtime, AnyObject?) = {
    (try Runtime(file: $0, configuration: $1), nil)
  }

  private static let examples = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "examples")

  static func example(_ name: String, hasTimers: Bool = false) -> LawApp {
    let folder = examples.appending(path: name)
    let script = (try? String(contentsOf: folder.appending(path: "app.lua"), encoding: .utf8)) ?? ""
    return LawApp(
      name: name, files: ["app.lua": script], assets: folder, hasTimers: hasTimers)
  }

  /// The examples, each several times because they are few, and what the articles show.
  static let known: [LawApp] = {
    let examples = [
      example("people"), example("fruit"), example("todo"), example("converter"),
      example("gallery"), example("feed", hasTimers: true), LawMonitor.app,
    ]
    return examples.compactMap { $0 } + LawArticles.apps
  }()

  /// The app of a case, by its first bytes: every other one is generated.
  static func app(_ source: inout ByteSource) -> LawApp {
    let choice = source.number(below: 256)
    if choice % 2 == 1 { return LawWorld.app(&source) }
    // Half of the rest are examples.
    let index = choice / 2
    return index % 2 == 0 ? known[index / 2 % min(7, known.count)] : known[index / 2 % known.count]
  }
}

/// The example whose models a host gives.
enum LawMonitor {
  static let app: LawApp? = {
    var app = LawApp.example("monitor")
    guard let folder = app.assets else { return nil }
    app.make = { path, configuration in
      let dashboard = try Dashboard(
        app: URL(filePath: path),
        source: .recorded(in: folder.appending(path: "recorded").path),
        configuration: configuration)
      dashboard.step(every: 1)
      return (dashboard.runtime, dashboard)
    }
    return app
  }()
}
