package import FoundationEssentials
import Fuzzing
import TestFolders
import TideBindings
import TideGraph
import TideReload
package import TideScript
package import TideViews

/// The law of edited records: each character and each press is in the record that was on the screen
/// under it when the editing began, or in a notice; it is nowhere else.
///
/// ```swift
/// let fault = RecordLaw.play([3, 1, 4, 1, 5]) { runtime, scene in
///   try KeyboardPerson(runtime, scene, TextRenderer())
/// }
/// ```
///
/// The first byte of a case chooses the world of `app.lua`, and the rest what happens: what a person
/// does, what the program and a second person write, saves, and what is undone.
///
/// The reference model knows one thing: which view is edited, and which record that began with.
///
///     an act at a view   of the edit's view: for the edit's record, or a notice where it is gone
///                        of another view: begins an edit of the record that the view shows
///     the focus leaves, something else is selected, a commit: there is no edit
package final class RecordLaw {
  /// The worlds of `app.lua`.
  package static let worlds = [
    "selection", "cells", "derived", "table", "sorted", "tree", "groups", "collection",
  ]

  package static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "app.lua")
  /// Read once, for the many apps of a search.
  private static let text = (try? String(contentsOf: script, encoding: .utf8)) ?? ""

  /// The same law for a spec, which chooses a world and seeds in its first lines.
  package static let spec = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "law_spec.lua")

  private struct Edit {
    let view: View
    var record: Int?
    /// A list has had the record since the edit began, so that it is noticed when it goes.
    var isListed = false
    /// The edit's record is gone.
    var isLost = false
  }

  /// A character that was typed once, so that it can be found.
  private struct Letter {
    let character: Character
    let record: Int?
    let isLost: Bool
    /// It may have been taken back since.
    var isUndone = false
  }

  /// What a record holds beside its text.
  private struct Values: Equatable {
    var rank: Int
    var isDone = false
    var amount = 1
  }

  private var source: ByteSource
  private let folder: ScratchFolder
  private let runtime: Runtime
  private let scene: Scene
  private let person: any RecordPerson
  private let world: String
  private var edit: Edit?
  private var letters: [Letter] = []
  private var values: [Int: Values] = [:]
  private var nextLetter: UInt32 = 0x4E00
  private var saves = 0
  private var log: [String] = []

  /// Plays a case, and says what is wrong.
  package static func play(
    _ input: [UInt8], by person: (Runtime, Scene) throws -> any RecordPerson
  ) -> String? {
    do {
      let law = try RecordLaw(input, person)
      do { return try law.fault().map(law.told) } catch { return law.told("\(error)") }
    } catch { return "\(error)" }
  }

  private func told(_ fault: String) -> String {
    let notices = runtime.errorsOfEdits.map { "\n  told: " + $0.message }.joined()
    return "\(world): \(fault)\n  after " + log.suffix(30).joined(separator: ", ") + notices
  }

  private init(
    _ input: [UInt8], _ makePerson: (Runtime, Scene) throws -> any RecordPerson
  ) throws {
    source = ByteSource(input)
    world = source.pick(Self.worlds)
    folder = try ScratchFolder()
    folder.write(Self.text, to: "app.lua")
    var configuration = Runtime.Configuration()
    configuration.arguments = [world]
    runtime = try Runtime(file: folder.path + "/app.lua", configuration: configuration)
    try runtime.load()
    guard let scene = runtime.scene else { throw TideError(.unknownView, "the app shows nothing") }
    self.scene = scene
    person = try makePerson(runtime, scene)
    for id in 1...7 { values[id] = Values(rank: id) }
    try settle()
  }

  private func fault() throws -> String? {
    while !source.isAtEnd {
      try step()
      if let fault = try faultNow() { return fault }
    }
    return nil
  }

  // MARK: The model

  private func settle() throws {
    try person.settle()
    // An edit is over when its view has lost the focus.
    if edit?.view !== person.focused { edit = nil }
    guard let current = edit, let id = current.record else { return }
    if try says("isThere", id) {
      edit?.isListed = true
    } else if current.isListed {
      edit?.record = nil
      edit?.isLost = true
    } else {
      // The record was removed before. The person goes elsewhere, since it may return.
      edit = nil
      try person.press(key: "Tab")
      try person.settle()
    }
  }

  /// The record that an act at a view is for; nil for none.
  private func target(of view: View) throws -> Int? {
    if edit?.view !== view || edit?.record == nil && edit?.isLost == false {
      let record = try record(under: view)
      edit = Edit(
        view: view, record: record,
        isListed: try record.map { try says("isThere", $0) } ?? false)
    }
    return edit?.record
  }

  /// Something else is selected, or what was entered is committed.
  private func endEdit() { if edit?.isLost == false { edit = nil } }

  private func says(_ question: String, _ id: Int) throws -> Bool {
    try runtime.evaluate("\(question)(\(id))", as: Bool.self)
  }

  /// The record that a view shows: that of its row, else the one beside the rows.
  private func record(under view: View) throws -> Int? {
    var current: View? = view
    while let next = current, !(next is CellView) { current = next.superview }
    if let cell = current {
      let object: Value = cell[.dataObject]
      guard case .object(let row as DataObject) = object, row.shape.index(of: "id") != nil,
        case .integer(let id) = row["id"]
      else { return nil }
      return id
    }
    let id = try shown()
    return id == 0 ? nil : id
  }

  private func shown() throws -> Int { try runtime.evaluate("shown()", as: Int.self) }

  // MARK: What happens

  private func step() throws {
    switch source.number(below: 27) {
    case 0..<11: try act()
    case 26: try click()
    case 11: try press(source.pick(["Tab", "Shift-Tab"]))
    case 12..<15: try goToControl()
    case 15:
      let before = try shown()
      try run("select(\(source.number(below: 4) + 1))")
      if try shown() != before, !keepsRecord { endEdit() }
    case 16:
      try run("if c then c:commitEditing() end")
      // A page goes on showing the record that its person types into.
      if try runtime.evaluate("c ~= nil", as: Bool.self), !keepsRecord { endEdit() }
    case 17: try undo()
    case 18: try save()
    default: try write()
    }
  }

  /// The record under edit stays the one that the person sees, whatever is selected.
  private var keepsRecord: Bool { person.keepsTypedRecord && edit?.view is TextInputView }

  private func act() throws {
    guard let view = person.focused, person.reaches(view) else { return try press("Tab") }
    if let field = view as? TextInputView, !person.canType(in: field) { return try press("Tab") }
    let before = edit
    let record = try target(of: view)
    log.append("\(view.viewClass.name) of \(record.map(String.init) ?? "none")")
    switch view {
    case let field as NumberFieldView:
      if let record, let amount = values[record]?.amount {
        // No more than a number holds: nothing is done.
        if amount > 99_999 {
          edit = before
          return
        }
        values[record]?.amount = amount * 10 + 7
      }
      try person.type("7", in: field)
    case let field as TextInputView:
      nextLetter += 1
      let character = Character(Unicode.Scalar(nextLetter) ?? "?")
      letters.append(
        Letter(character: character, record: record, isLost: edit?.isLost ?? false))
      try person.type(String(character), in: field)
    case let stepper as StepperView:
      if let record { values[record]?.rank += 1 }
      try person.stepUp(stepper)
    case is ToggleView:
      if let record { values[record]?.isDone.toggle() }
      try person.press(view)
    default:
      edit = nil
      return try press("Down")
    }
    try settle()
  }

  private func press(_ key: String) throws {
    log.append(key)
    try person.press(key: key)
    try settle()
  }

  private func goToControl() throws {
    guard let root = scene.root else { return }
    var found: [View] = []
    var waiting = [root]
    while let view = waiting.popLast() {
      let isControl = view is TextInputView || view is StepperView || view is ToggleView
      if isControl, person.reaches(view) { found.append(view) }
      waiting += view.subviews.reversed()
    }
    if found.isEmpty { return }
    let view = found[source.number(below: min(256, found.count))]
    log.append("goes to \(view.viewClass.name)")
    try person.focus(view)
    // Whoever goes to a view again may go on where the record was gone.
    if view === edit?.view, edit?.isLost == true, person is ControlsPerson { edit = nil }
    try settle()
  }

  private func click() throws {
    let point = Point(x: source.number(below: 40), y: source.number(below: 16))
    let view = scene.view(at: point)
    // Not on a control, which would be an act.
    if view is ToggleView || view is StepperView || view is NumberFieldView { return }
    log.append("clicks on \(view.viewClass.name)")
    if try !person.click(at: point) { return }
    // Whoever clicks into a view again may go on where the record was gone.
    if view === edit?.view, edit?.isLost == true, view === person.focused { edit = nil }
    try settle()
  }

  private func undo() throws {
    let word = source.pick(["undo", "redo"])
    let before = try shown()
    try run("history:\(word)()")
    // What is selected may be what was selected before.
    if try shown() != before, !keepsRecord { endEdit() }
    // What is taken back is in no record; it is in no other one either.
    for index in letters.indices { letters[index].isUndone = true }
    values = [:]
    for (index, record) in try held().enumerated() { values[index + 1] = record.values }
  }

  private func save() throws {
    saves += 1
    log.append("saves")
    let before = edit?.view
    folder.write(Self.text + "\n-- \(saves)\n", to: "app.lua")
    _ = try runtime.reload()
    try person.settle()
    // The edit goes on in the view that takes the place of its own.
    if let edit, let before, let view = person.focused,
      view.viewClass.name == before.viewClass.name
    {
      self.edit = Edit(
        view: view, record: edit.record, isListed: edit.isListed, isLost: edit.isLost)
    }
    try settle()
  }

  /// What another person or the program does.
  private func write() throws {
    let count = values.count
    let row = "all[\(source.number(below: count) + 1)]"
    switch source.number(below: 9) {
    case 0: try run("\(row).name = 'w' .. \(row).name")
    case 1: try run("desk.which = \(source.number(below: 4))")
    case 2: try run("if c then c.sort = orders[\(source.number(below: 4) + 1)] end")
    case 3: try run("rows:removeObject(\(row))")
    case 4:
      values[count + 1] = Values(rank: count + 1)
      try run("rows:insert(1, make(\(count + 1)))")
    case 5: try run("if #rows > 1 then rows:move(1, #rows) end")
    case 6:
      try run("local t = {} for _, r in ipairs(rows) do table.insert(t, 1, r) end rows:set(t)")
    case 7: try run("if rows:indexOf(\(row)) == nil then rows:append(\(row)) end")
    default: try run("batch(function() \(row).key = \(row).key + 1 end)")
    }
  }

  private func run(_ script: String) throws {
    log.append(script)
    try runtime.evaluate(script, as: Value.self)
    try settle()
  }

  // MARK: The law

  private func held() throws -> [(values: Values, name: String)] {
    let text = try runtime.evaluate("held()", as: String.self)
    return text.split(separator: "\n").map { line in
      let parts = line.split(separator: " ", maxSplits: 3)
      let numbers = parts.prefix(3).map { Int($0) ?? -1 }
      return (
        Values(rank: numbers[0], isDone: numbers[1] == 1, amount: numbers[2]), String(parts[3])
      )
    }
  }

  private func faultNow() throws -> String? {
    let records = try held()
    if records.count != values.count { return "there are \(records.count) records" }
    for (index, record) in records.enumerated() where record.values != values[index + 1] {
      return "record \(index + 1) holds \(record.values), and not \(values[index + 1] as Any)"
    }
    let notices = runtime.errorsOfEdits.map(\.message).joined()
    for letter in letters {
      let found = records.indices.filter { records[$0].name.contains(letter.character) }
        .map { $0 + 1 }
      let wanted = letter.record.map { [$0] } ?? []
      if found != wanted, !(found.isEmpty && letter.isUndone) {
        return "\(letter.character) is in \(found), and not in \(wanted)"
      }
      if letter.isLost, !notices.contains(letter.character) {
        return "\(letter.character) is in no notice of \"\(notices)\""
      }
    }
    return nil
  }
}
