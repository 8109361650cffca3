import Fuzzing
import TideBindings
import TideScript
import TideSystem

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
  private let stage: LawStage
  private var app = LawApp()

  static func play(_ input: [UInt8]) -> String? {
    do {
      let play = try LawPlay(input)
      defer { play.stage.close() }
      do {
        return try play.fault().map { "\($0)\n  after \(play.stage.latest)" }
      } catch {
        return "\(error)\n  after \(play.stage.latest)"
      }
    } catch { return "\(error)" }
  }

  private init(_ input: [UInt8]) throws {
    source = ByteSource(input)
    stage = try LawStage(app.script)
    for _ in 0...source.pick([0, 0, 1, 2]) { try stage.open() }
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
    let page = source.pick(stage.pages)
    switch source.number(below: 24) {
    case 0..<11: try act(page)
    case 11..<14:
      let script = source.pick(LawApp.scripts)
      stage.log.append(script)
      _ = try? stage.runtime.evaluate(script, as: Value.self)
      try stage.turn()
    case 14: try save()
    case 15:
      if page.line == nil { return try stage.connect(page) }
      let count = source.number(below: 3)
      try stage.lose(page, deliveredBefore: count, isNoticed: source.flag())
    case 16:
      stage.log.append("sends again")
      page.repeatEvents()
    case 17..<20:
      try page.line?.deliver(source.number(below: 4))
      try stage.turn()
    case 20..<22: try page.receive(source.number(below: 4))
    case 22: try stage.turn(draws: false)
    default:
      stage.runtime.loop.advance(by: 0.1)
      try stage.turn()
    }
  }

  private func act(_ page: LawPage) throws {
    let all = page.mirror.ids
    guard !all.isEmpty else { return }
    // Two bytes, as there may be more than 256 views.
    let id = all[(source.number(below: 256) << 8 + source.number(below: 256)) % all.count]
    guard let node = page.mirror[id] else { return }
    let row = source.number(below: 8)
    stage.log.append("\(node.className) \(id) \(row)")
    switch node.className {
    case "field", "textArea", "numberField":
      if row == 7 { return page.press(source.pick(["Enter", "Up", "Down"])) }
      let text = page.text(of: id)
      page.type(row == 6 ? String(text.dropLast()) : text + source.pick(Self.words), in: id)
    case "button", "toggle", "checkbox": page.act("press", id)
    case "slider", "stepper": page.act("value", id, ",\(row)")
    case "picker", "radio": page.act("choose", id, Self.choice(row % 4, of: node))
    case "tabs": page.act("choose", id, Self.choice(row % 3, of: node))
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

  /// An item with its title, as far as there is one.
  private static func choice(_ index: Int, of node: PageMirror.Node) -> String {
    let titles = node.properties["titles"]?.items ?? []
    return ",\(index)"
      + (titles.indices.contains(index) ? ",\(titles[index].text.quotedForJSON)" : "")
  }

  private static let words = ["a", "B", "ä", " ", "😀", "7", "two words", "\"\\", "漢", "-"]

  private func actOnRows(_ page: LawPage, _ id: Int, _ row: Int) {
    let cell = page.mirror.row(row, of: id) ?? 0
    switch source.number(below: 8) {
    case 0..<3: page.act("select", id, ",\(row),\"\(source.pick(["", "ctrl", "shift"]))\",\(cell)")
    case 3: page.act("open", id, ",\(row),\(cell)")
    case 4: page.act("expand", id, ",\(row),\(source.flag()),\(cell)")
    case 5: page.act("sort", id, ",\(row % 3)")
    case 6: page.act("rows", id, ",\(row * 4),\(source.number(below: 20))", focuses: false)
    default:
      page.focus(id)
      page.press(source.pick(["Down", "Up", "Enter", "Space", "f", "Delete", "Right", "Left"]))
    }
  }

  // MARK: The app

  private func save() throws {
    switch source.number(below: 6) {
    case 0: app.fault = source.pick(LawApp.faults)
    case 1..<3: return try saveComment()
    default: app.choices ^= 1 << source.number(below: LawApp.bits)
    }
    stage.log.append("saves \(app.choices) \(app.fault ?? "")")
    try reload()
    app.fault = nil
    if source.flag() { return }
    stage.log.append("fixes it")
    try reload()
  }

  private func reload() throws {
    do {
      try stage.reload(app.script)
    } catch {
      if app.fault == nil { throw error }
      stage.renderer.showFailure("\(error)")
    }
    stage.renderer.errorsChanged()
    try stage.turn()
  }

  /// A save that means the same must not be seen.
  private func saveComment() throws {
    try stage.settle()
    let before = try stage.freshPage()
    let focus = try LawContent.number(of: stage.scene.focused, in: before, stage.scene)
    app.comments += 1
    stage.log.append("saves a comment")
    try reload()
    try stage.settle()
    let after = try stage.freshPage()
    // A question ends with the version that asks it.
    if before.root?.children.count != after.root?.children.count { return }
    if let difference = LawContent.difference(after, before) {
      throw PageMirror.Broken(description: "a comment has changed \(difference)")
    }
    if try focus != LawContent.number(of: stage.scene.focused, in: after, stage.scene) {
      throw PageMirror.Broken(description: "a comment has moved the focus")
    }
  }

  // MARK: Judging

  private func faultWhenSettled() throws -> String? {
    try stage.settle()
    let fresh = try stage.freshPage()
    for (index, page) in stage.pages.enumerated() {
      if let difference = LawContent.difference(page.mirror, fresh) {
        return "page \(index) is not like a new one: \(difference)"
      }
      if let difference = try LawContent.difference(page.mirror, with: stage.scene) {
        return "page \(index) is not like the app: \(difference)"
      }
      for id in page.mirror.ids where page.isField(id) && !page.holds(id) {
        let wanted = page.mirror[id]?.properties["text"]?.text ?? ""
        if page.text(of: id) != wanted {
          return "page \(index) shows \(page.text(of: id)) in \(id), and not \(wanted)"
        }
      }
    }
    if let fault = try LawContent.difference(fresh, with: stage.scene) { return fault }
    if let fault = try stage.scene.brokenInvariants().first { return fault }
    guard stage.pages.count == 1 else { return nil }
    let focus = try LawContent.number(
      of: stage.scene.focused, in: stage.pages[0].mirror, stage.scene)
    return stage.pages[0].focus == focus
      ? nil : "the page's focus is at \(stage.pages[0].focus), and not at \(focus)"
  }
}
