import Fuzzing
import TestFolders
import TideBindings
import TideReload
import TideRun
import TideScript

@testable import TideViews
@testable import TideWeb

/// Plays a random case: people in pages, scripts and saves, over slow connections that get lost.
/// Time and again it delivers all that is under way, and compares each page with the app.
///
/// ```swift
/// let fault = LawPlay.play([3, 1, 4, 1, 5])    // nil when all is well
/// ```
///
/// The first byte says how many pages there are, and the rest what happens.
final class LawPlay {
  private var source: ByteSource
  private let folder: ScratchFolder
  private let runtime: Runtime
  private let loop: AppLoop
  private let renderer: WebRenderer
  private var app = LawApp()
  private var pages: [LawPage] = []
  /// Lines whose end the app has not noticed yet.
  private var lostLines: [LawLine] = []
  private var lines = 0
  private var log: [String] = []

  static func play(_ input: [UInt8]) -> String? {
    do {
      let play = try LawPlay(input)
      defer { play.loop.close() }
      do {
        let fault = try play.fault()
        return fault.map { "\($0)\n  after " + play.log.suffix(40).joined(separator: ", ") }
      } catch {
        return "\(error)\n  after " + play.log.suffix(40).joined(separator: ", ")
      }
    } catch { return "\(error)" }
  }

  private init(_ input: [UInt8]) throws {
    source = ByteSource(input)
    folder = try ScratchFolder()
    folder.write(app.script, to: "app.lua")
    var configuration = Runtime.Configuration()
    configuration.clock = VirtualClock()
    configuration.print = { _ in }
    runtime = try Runtime(file: folder.path + "/app.lua", configuration: configuration)
    renderer = WebRenderer(isDeveloping: true, PagePictures())
    loop = AppLoop(runtime, renderer)
    try runtime.load()
    try loop.catchUp()
    for _ in 0...source.pick([0, 0, 1, 2]) {
      let page = LawPage()
      pages.append(page)
      try connect(page)
    }
  }

  private func fault() throws -> String? {
    if let fault = try faultWhenSettled() { return fault }
    while !source.isAtEnd {
      for _ in 0...source.number(below: 6) { try step() }
      if let fault = try faultWhenSettled() { return fault }
    }
    return nil
  }

  // MARK: Steps

  private func step() throws {
    let page = source.pick(pages)
    switch source.number(below: 24) {
    case 0..<11: try act(page)
    case 11..<14:
      let script = source.pick(LawApp.scripts)
      log.append(script)
      _ = try? runtime.evaluate(script, as: Value.self)
      try turn()
    case 14: try save()
    case 15:
      if page.line != nil { try lose(page) } else { try connect(page) }
    case 16:
      log.append("sends again")
      page.repeatEvents()
    case 17..<20:
      try page.line?.deliver(source.number(below: 4))
      try turn()
    case 20..<22: try page.receive(source.number(below: 4))
    case 22: try turn(draws: false)
    default:
      runtime.loop.advance(by: 0.1)
      try turn()
    }
  }

  private func act(_ page: LawPage) throws {
    let all = page.mirror.ids
    guard !all.isEmpty else { return }
    // Two bytes, as there may be more than 256 views.
    let id = all[(source.number(below: 256) << 8 + source.number(below: 256)) % all.count]
    guard let node = page.mirror[id] else { return }
    let row = source.number(below: 8)
    log.append("\(node.className) \(id) \(row)")
    switch node.className {
    case "field", "textArea", "numberField":
      if row == 7 { return page.press(source.pick(["Enter", "Up", "Down"])) }
      let text = page.text(of: id)
      page.type(row == 6 ? String(text.dropLast()) : text + source.pick(Self.words), in: id)
    case "button", "toggle", "checkbox": page.act("press", id)
    case "slider", "stepper": page.act("value", id, ",\(row)")
    case "picker", "radio": page.act("choose", id, ",\(row % 4)")
    case "tabs": page.act("choose", id, ",\(row % 3)")
    case "list", "table", "tree", "collection": actOnRows(page, id, row)
    case "dialog": page.act("close", id, focuses: false)
    case "label":
      if row < 4 {
        page.act("menu", id, ",[\(row % 2)]", focuses: false)
      } else {
        page.act("click", id, ",\(row),0,0")
      }
    case "cell": page.act("press", id)
    default:
      page.press(source.pick(["F2", "F3", "Escape", "x"]))
    }
  }

  private static let words = ["a", "B", "ä", " ", "😀", "7", "two words", "\"\\", "漢", "-"]

  private func actOnRows(_ page: LawPage, _ id: Int, _ row: Int) {
    switch source.number(below: 8) {
    case 0..<3: page.act("select", id, ",\(row),\"\(source.pick(["", "ctrl", "shift"]))\"")
    case 3: page.act("open", id, ",\(row)")
    case 4: page.act("expand", id, ",\(row),\(source.flag())")
    case 5: page.act("sort", id, ",\(row % 3)")
    case 6: page.act("rows", id, ",\(row * 4),\(source.number(below: 20))", focuses: false)
    default:
      page.focus(id)
      page.press(source.pick(["Down", "Up", "Enter", "Space", "f", "Delete", "Right", "Left"]))
    }
  }

  // MARK: Lines

  private func connect(_ page: LawPage) throws {
    lines += 1
    page.connect(try LawLine(lines, session: page.session, renderer, runtime))
    log.append("connects")
    try turn()
  }

  /// The app notices it at once, or when the page may be there again.
  private func lose(_ page: LawPage) throws {
    guard let line = page.line else { return }
    log.append("is cut off")
    try line.deliver(source.number(below: 3))
    page.disconnect()
    if source.flag() { line.close() } else { lostLines.append(line) }
    try turn()
  }

  // MARK: The app

  private func turn(draws: Bool = true) throws {
    runtime.turn(timeout: 0)
    if draws { try loop.catchUp() }
    renderer.finishTurn()
  }

  private func save() throws {
    switch source.number(below: 6) {
    case 0: app.fault = source.pick(LawApp.faults)
    case 1..<3: return try saveComment()
    default: app.choices ^= 1 << source.number(below: LawApp.bits)
    }
    log.append("saves \(app.choices) \(app.fault ?? "")")
    try reload()
    app.fault = nil
    if source.flag() { return }
    log.append("fixes it")
    try reload()
  }

  private func reload() throws {
    folder.write(app.script, to: "app.lua")
    do {
      renderer.report(try runtime.reload().line)
      renderer.showFailure(nil)
    } catch {
      if app.fault == nil { throw error }
      renderer.showFailure("\(error)")
    }
    renderer.errorsChanged()
    try turn()
  }

  /// A save that means the same must not be seen.
  private func saveComment() throws {
    try settle()
    let before = try freshPage()
    let focus = try LawContent.number(of: scene.focused, in: before, scene)
    app.comments += 1
    log.append("saves a comment")
    try reload()
    try settle()
    let after = try freshPage()
    // A question ends with the version that asks it.
    if before.root?.children.count != after.root?.children.count { return }
    if let difference = LawContent.difference(after, before) {
      throw PageMirror.Broken(description: "a comment has changed \(difference)")
    }
    if try focus != LawContent.number(of: scene.focused, in: after, scene) {
      throw PageMirror.Broken(description: "a comment has moved the focus")
    }
  }

  private var scene: Scene {
    get throws {
      guard let scene = runtime.scene else {
        throw PageMirror.Broken(description: "the app shows nothing")
      }
      return scene
    }
  }

  // MARK: Judging

  /// Lets all that is on its way arrive.
  private func settle() throws {
    for line in lostLines { line.close() }
    lostLines = []
    for page in pages where page.line == nil { try connect(page) }
    for _ in 0..<50 {
      for page in pages { try page.line?.deliver() }
      try turn()
      for page in pages { try page.receive() }
      if pages.allSatisfy({ $0.isSettled && $0.line?.isBusy == false }), try !scene.needsFrame {
        return
      }
    }
    let still = pages.enumerated().map { index, page in
      "page \(index): \(page.waitsFor), \(page.line?.onItsWay ?? "no line")"
    }
    throw PageMirror.Broken(
      description: "it does not come to rest: " + still.joined(separator: "; ")
    )
  }

  /// A page that comes now.
  private func freshPage() throws -> PageMirror {
    let page = LawPage()
    try connect(page)
    try page.receive()
    page.line?.close()
    try turn()
    return page.mirror
  }

  private func faultWhenSettled() throws -> String? {
    try settle()
    let fresh = try freshPage()
    for (index, page) in pages.enumerated() {
      if let difference = LawContent.difference(page.mirror, fresh) {
        return "page \(index) is not like a new one: \(difference)"
      }
      for id in page.mirror.ids where page.isField(id) {
        let wanted = page.mirror[id]?.properties["text"]?.text ?? ""
        if page.text(of: id) != wanted {
          return "page \(index) shows \(page.text(of: id)) in \(id), and not \(wanted)"
        }
      }
    }
    if let fault = try LawContent.difference(fresh, with: scene) { return fault }
    if let fault = try scene.brokenInvariants().first { return fault }
    guard pages.count == 1 else { return nil }
    let focus = try LawContent.number(of: scene.focused, in: fresh, scene)
    return pages[0].focus == focus
      ? nil : "the page's focus is at \(pages[0].focus), and not at \(focus)"
  }
}
