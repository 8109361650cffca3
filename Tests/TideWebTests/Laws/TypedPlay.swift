import Fuzzing
import TideBindings
import TideScript

@testable import TideViews
@testable import TideWeb

/// Plays a random case of the law of typed letters: people who type and select in pages, a program
/// that changes, filters, sorts and removes rows, saves, and lines that are slow and get lost. Each
/// letter is typed once, so that it can be found.
///
/// ```swift
/// let fault = TypedPlay.play([3, 1, 4, 1, 5])    // nil when no letter is lost
/// ```
///
/// The first byte says how many people there are and which app they have, and the rest what happens.
final class TypedPlay {
  let stage: LawStage
  private var app: TypedApp
  private var source: ByteSource
  private(set) var letters: [Typed] = []
  /// By page, the records that its fields showed when they last showed what the app had sent.
  private var shown: [ObjectIdentifier: [Int: Int]] = [:]
  private var next: UInt32 = 0x4E00

  struct Typed {
    let letter: Character
    let page: Int
    /// The record that was on the screen; nil for none.
    let record: Int?
  }

  static func play(_ input: [UInt8]) -> String? {
    let kinds = TypedApp.Kind.allCases
    let choice = Int(input.first ?? 0)
    var app = TypedApp(kind: kinds[choice % kinds.count])
    app.isContinuous = choice / kinds.count % 2 == 0
    let people = 2 + choice / (2 * kinds.count) % 4
    do {
      let play = try TypedPlay(app, people: people, Array(input.dropFirst()))
      defer { play.stage.close() }
      do {
        return try play.fault().map { "\($0)\n  in \(app), after \(play.stage.latest)" }
      } catch {
        return "\(error)\n  in \(app), after \(play.stage.latest)"
      }
    } catch { return "\(error)" }
  }

  init(_ app: TypedApp, people: Int, _ input: [UInt8] = []) throws {
    self.app = app
    source = ByteSource(input)
    stage = try LawStage(app.script)
    for _ in 0..<people { try stage.open() }
    for page in stage.pages {
      page.onMessage = { [unowned self, unowned page] in noteScreen(of: page) }
    }
    try stage.settle()
    noteScreens()
  }

  private func fault() throws -> String? {
    while !source.isAtEnd {
      for _ in 0...source.number(below: 40) where !source.isAtEnd {
        try step()
        noteScreens()
      }
      if source.number(below: 4) == 0 {
        try stage.settle()
        noteScreens()
        if let fault = try faultOfLetters() { return fault }
      }
    }
    return try faultAtEnd()
  }

  // MARK: Steps

  private func step() throws {
    let index = source.number(below: stage.pages.count)
    let page = stage.pages[index]
    switch source.number(below: 32) {
    case 0..<12:
      let fields = page.mirror.ids.filter { page.isField($0) }
      if !fields.isEmpty { try type(in: source.pick(fields), of: page) }
    case 12..<16: try select(row: source.number(below: 6), in: page)
    case 16..<20:
      let scripts = app.scripts(source.number(below: 60))
      try run(source.pick(scripts))
    case 20..<23:
      try page.line?.deliver(source.number(below: 4))
      try stage.turn()
    case 23..<26: try page.receive(source.number(below: 4))
    case 26: page.focus(0)
    case 27:
      if page.line == nil { return try stage.connect(page) }
      let count = source.number(below: 3)
      try stage.lose(page, deliveredBefore: count, isNoticed: source.flag())
    case 28: page.repeatEvents()
    case 29: try stage.turn(draws: source.flag())
    case 30: try delete(in: page)
    default: try save()
    }
  }

  /// Types a letter that is typed nowhere else.
  func type(in id: Int, of page: LawPage) throws {
    next += 1
    guard let scalar = Unicode.Scalar(next) else { return }
    let letter = Character(scalar)
    var text = page.text(of: id)
    let place = source.number(below: 256) * (text.count + 1) >> 8
    text.insert(letter, at: text.index(text.startIndex, offsetBy: place))
    let record = recordOnScreen(of: page, at: id)
    guard page.type(text, in: id) else { return }
    let index = stage.pages.firstIndex { $0 === page } ?? 0
    letters.append(Typed(letter: letter, page: index, record: record))
    stage.log.append("page \(index) types \(letter) at \(place) of \(id), for \(record ?? 0)")
  }

  /// Takes a letter out that the program has written, which is in any record.
  private func delete(in page: LawPage) throws {
    let fields = page.mirror.ids.filter { page.isField($0) && page.text(of: $0).contains("w") }
    if fields.isEmpty { return }
    let id = source.pick(fields)
    var text = page.text(of: id)
    if let index = text.firstIndex(of: "w") { text.remove(at: index) }
    if page.type(text, in: id) { stage.log.append("takes w out of \(id)") }
  }

  func select(row: Int, in page: LawPage) throws {
    let list = try page.mirror.node("list")
    guard let cell = page.mirror.row(row, of: list) else { return }
    stage.log.append("page \(stage.pages.firstIndex { $0 === page } ?? 0) selects row \(row)")
    page.act("select", list, ",\(row),\"\",\(cell)")
  }

  func run(_ script: String) throws {
    stage.log.append(script)
    _ = try? stage.runtime.evaluate(script, as: Value.self)
    try stage.turn()
  }

  private func save() throws {
    if source.flag() { app.comments += 1 } else { app.isWrapped.toggle() }
    stage.log.append("saves")
    try stage.reload(app.script)
    stage.renderer.errorsChanged()
    try stage.turn()
  }

  // MARK: What is on the screens

  /// A field shows the record of the moment when it was last given what the app has.
  private func noteScreens() {
    for page in stage.pages { noteScreen(of: page) }
  }

  private func noteScreen(of page: LawPage) {
    for id in page.mirror.ids where page.isField(id) && !page.isUnsettled(id) {
      shown[ObjectIdentifier(page), default: [:]][id] = Self.record(at: id, of: page.mirror)
    }
  }

  func recordOnScreen(of page: LawPage, at id: Int) -> Int? {
    let record =
      page.isUnsettled(id)
      ? shown[ObjectIdentifier(page)]?[id] : Self.record(at: id, of: page.mirror)
    return record == 0 ? nil : record
  }

  /// The record by the label beside a field: of its row, or of what is selected.
  private static func record(at id: Int, of mirror: PageMirror) -> Int? {
    let cell = mirror.path(to: id).last { $0.className == "cell" }
    let label =
      cell?.children.first { $0.className == "label" }
      ?? (try? mirror.node("label", "shown")).flatMap { mirror[$0] }
    return label?.properties["text"].flatMap { $0.integer ?? Int($0.text) }
  }

  // MARK: Judging

  func name(of record: Int) throws -> String {
    try stage.runtime.evaluate("desk.all[\(record)].name", as: String.self)
  }

  private func faultOfLetters() throws -> String? {
    let count = try stage.runtime.evaluate("#desk.all", as: Int.self)
    let names = try (1...max(1, count)).map { ($0, try name(of: $0)) }
    let shared = stage.runtime.errorsOfEdits.map(\.message).joined()
    for typed in letters {
      let found = names.flatMap { record, name in
        name.filter { $0 == typed.letter }.map { _ in record }
      }
      if found.count > 1 { return "\(typed.letter) is in \(found), typed for \(typed.record ?? 0)" }
      if let record = found.first {
        if record != typed.record {
          return "\(typed.letter) is in \(record), and not in \(typed.record ?? 0)"
        }
        continue
      }
      let page = stage.pages[typed.page]
      let told = page.notices.joined() + shared
      // A draft is in no record until its field is left.
      let isDraft = page.mirror.ids.contains {
        page.isField($0) && page.text(of: $0).contains(typed.letter)
      }
      if !told.contains(typed.letter) && !(isDraft && !app.isContinuous) {
        return "\(typed.letter), typed for \(typed.record ?? 0) by \(typed.page), is nowhere"
      }
    }
    return nil
  }

  /// What is wrong when all have let go and all has arrived.
  func faultAtEnd() throws -> String? {
    try stage.settle()
    for page in stage.pages {
      page.focus(0)
      try stage.settle()
    }
    if let fault = try faultOfLetters() { return fault }
    let fresh = try stage.freshPage()
    for (index, page) in stage.pages.enumerated() {
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
    if let fault = try LawContent.difference(fresh, with: stage.scene) { return fault }
    return try stage.scene.brokenInvariants().first
  }
}
