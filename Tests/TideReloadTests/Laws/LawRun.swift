import TestFolders
import Foundation
import TideBindings
import TideGraph
import TideLua
import TideReload
import TideScript
import TideStore

@testable import TideViews

/// One of two runs of an app that are to come to the same.
final class LawRun {
  let app: LawApp
  private let folder: ScratchFolder
  let runtime: Runtime
  private let host: AnyObject?
  private let output = Output()
  /// What was printed while nothing was reloaded.
  private var printed: [String] = []

  private final class Output {
    var lines: [String] = []
  }

  init(_ app: LawApp) throws {
    self.app = app
    folder = try ScratchFolder()
    for (name, text) in app.files { folder.write(text, to: name) }
    if let assets = app.assets { try Self.copy(assets, to: folder.path) }
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    configuration.settingsFolder = folder.path + "/settings"
    configuration.addStores()
    configuration.lua.access.store = [folder.path]
    configuration.arguments = [folder.path]
    configuration.print = { [output] in output.lines.append($0) }
    (runtime, host) = try app.make(folder.path + "/app.lua", configuration)
    try runtime.load()
    try scene.mount(TextRenderer(size: Size(width: 80, height: 24)))
    settle()
    takePrinted()
  }

  var scene: Scene { runtime.scene ?? Self.noScene }
  private static var noScene: Scene { Scene() }

  private static func copy(_ assets: URL, to folder: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: assets.path)
    where name.hasSuffix(".png") {
      try FileManager.default.copyItem(
        atPath: assets.path + "/" + name, toPath: folder + "/" + name)
    }
  }

  private func takePrinted() {
    printed += output.lines
    output.lines = []
  }

  func take(_ events: [InputEvent]) {
    // Both runs are on one thread.
    let outer = runtime.graph.enter()
    defer { Graph.leave(to: outer) }
    for event in events {
      scene.send(event)
      settle()
    }
    takePrinted()
  }

  /// Ends the questions that are open, as a new version does with those of the one before.
  func endQuestions() {
    // Both runs are on one thread.
    let outer = runtime.graph.enter()
    defer { Graph.leave(to: outer) }
    _ = try? runtime.evaluate("if asking then asking:cancel() end", as: Value.self)
    settle()
  }

  var isAsking: Bool { !scene.presented.isEmpty }

  func wait(_ seconds: Double) {
    // Both runs are on one thread.
    let outer = runtime.graph.enter()
    defer { Graph.leave(to: outer) }
    runtime.loop.advance(by: seconds)
    settle()
    takePrinted()
  }

  /// Saves some texts of the main script one after the other; says what is wrong with that.
  func save(_ save: LawSave) -> String? {
    // Both runs are on one thread.
    let outer = runtime.graph.enter()
    defer { Graph.leave(to: outer) }
    let texts = save.texts(of: app.files["app.lua"] ?? "")
    for (index, text) in texts.enumerated() {
      folder.write(text, to: "app.lua")
      let report: ReloadReport
      do {
        report = try runtime.reload()
      } catch {
        settle()
        output.lines = []
        if save.isRefused(at: index) { continue }
        return "not reloaded: \(error)"
      }
      settle()
      output.lines = []
      if let fault = scene.brokenInvariants().first { return "after a reload \(fault)" }
      if report.error == nil, save.isBroken { return "a broken version was reloaded" }
    }
    return nil
  }

  private func settle() {
    runtime.settle()
    for _ in 0..<5 where scene.needsFrame {
      try? scene.commit()
      runtime.settle()
    }
  }

  /// Everything that a reload must leave as it is, a line for each.
  ///
  /// - Parameter isDetailed: with all that the looks are made of, in place of a number for each
  ///   line.
  func state(isDetailed: Bool) -> [(name: String, text: String)] {
    // Both runs are on one thread.
    let outer = runtime.graph.enter()
    defer { Graph.leave(to: outer) }
    var lines: [(String, String)] = []
    for name in runtime.models.names {
      if let controller = runtime.models[name] as? Controller {
        lines.append(("controller \(name)", describe(controller)))
        continue
      }
      var dump = (try? runtime.evaluate("return dump(models['\(name)'])", as: String.self)) ?? "?"
      // A changed script fetches again, so what it fetched came later.
      if runtime.models[name]?.shape.name == "resource" {
        dump.replace(/updated = [0-9.]+,/, with: "")
      }
      if !isDetailed && !dump.contains("0x") {
        lines.append(("model \(name)", dump))
        continue
      }
      for (index, line) in dump.split(separator: "\n").enumerated() {
        // A function is made anew, wherever it lies.
        let text = String(line).replacing(/0x[0-9a-f]+/, with: "…")
        lines.append(("model \(name) \(index)", text))
      }
    }
    // A field shows what a person has got wrong in it; of those out of sight nobody knows.
    let errors = runtime.errors.filter { ![.conversion, .refused].contains($0.code) }
      .map { "\($0.code) \($0.message)" }.sorted()
    lines.append(("errors", errors.joined(separator: "; ")))
    let stored = try? runtime.evaluate("return stored and stored() or ''", as: String.self)
    lines.append(("stored", stored ?? "cannot be read"))
    lines.append(("printed", printed.joined(separator: "\n")))
    lines.append(("focus", scene.focused.map { path(of: $0) } ?? "none"))
    lines += LawViews.state(of: scene).map { ($0.name, $0.text) }
    let frame = scene.frame
    lines.append(("caret", frame.caret.map { "\($0.x), \($0.y)" } ?? "none"))
    for (index, line) in frame.lines.enumerated() { lines.append(("line \(index)", line)) }
    for y in 0..<frame.height {
      let looks = (0..<frame.width).map { frame[$0, y].style }
      if !isDetailed {
        lines.append(("look \(y)", "\(looks.hashValue)"))
        continue
      }
      var runs = ""
      for (x, look) in looks.enumerated() where x == 0 || looks[x - 1] != look {
        runs += "\(x):\(look.attributes.rawValue),\(look.foreground),\(look.background) "
      }
      lines.append(("look \(y)", runs))
    }
    return lines
  }

  /// What is selected and edited through a controller.
  private func describe(_ controller: Controller) -> String {
    runtime.graph.untracked {
      var parts = ["editing \(controller.isEditing)", "sort \(controller["sort"])"]
      if let list = controller as? ListController {
        parts.append("of \(list.arrangedObjects.count) \(list.selectionIndexes)")
      }
      if let tree = controller as? TreeController { parts.append("\(tree.selectionIndexPaths)") }
      if let object = controller as? ObjectController {
        parts += object.selectedObjects.prefix(3).map { "\($0)" }
      }
      if let settings = controller as? SettingsController {
        parts.append("unapplied \(settings.hasUnappliedChanges)")
      }
      return parts.joined(separator: ", ")
    }
  }

  /// What is wrong with the graph.
  var brokenInvariant: String? { runtime.graph.brokenInvariants().first }

  private func path(of view: View) -> String {
    var parts: [String] = []
    var current: View? = view
    while let each = current {
      let index = each.parent?.children.firstIndex { $0 === each } ?? 0
      parts.append("\(each.viewClass.name)[\(index)]")
      current = each.parent
    }
    return parts.reversed().joined(separator: ".")
  }
}
