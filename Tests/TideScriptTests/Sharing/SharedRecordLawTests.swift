import EditedRecords
import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideViews

@testable import TideScript

/// The law of edited records for two people, each with an app of their own, on one shared list:
/// each character and each press is in the record that was on the screen of who did it, for both of
/// them, or in a notice for who did it.
@Suite struct SharedRecordLawTests {
  private static func fault(_ input: [UInt8]) -> String? {
    do {
      let play = try SharedPlay(input)
      do {
        return try play.fault().map { "\($0), after \(play.log.suffix(30))" }
      } catch { return "\(error), after \(play.log.suffix(30))" }
    } catch { return "\(error)" }
  }

  @Test func `every case that was found before holds`() {
    let cases = FuzzRun.found(by: "shared-records")
    #expect(!cases.isEmpty)
    for (file, input) in cases {
      let fault = Self.fault(input)
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `holds for two random people on one list`() {
    var random = SeededGenerator(
      seed: FuzzRun.seed(of: "shared-records", otherwise: FuzzRun.isSearch ? nil : 1))
    var run = FuzzRun("shared-records", stepsInSuite: 8)
    let found = run.firstFault(sizes: 40...200, using: &random) { Self.fault($0) }
    if let found { Issue.record("\(found.text)") }
  }
}

private final class SharedPlay {
  private static let script = """
    local Row = class "Row" { id = 0, name = "", rank = 0, done = false }
    desk = shared("desk", { rows = list {} })
    look = model "look" { which = 0 }
    function make(id) return Row { id = id, name = ("n"):rep(id % 3 + 1), rank = id } end
    function row(id)
      for _, row in ipairs(desk.rows) do if row.id == id then return row end end
    end
    local function passes(row)
      if look.which == 1 then return utf8.len(row.name) % 2 == 0 end
      if look.which == 2 then return not row.done end
      return true
    end
    c = controller.list { name = "c", content = desk.rows, filter = passes, sort = "name" }
    show(view.column {
      view.list { id = "l", height = 9,
        bindTo = { items = "c.arrangedObjects", selectedIndex = "<> c.selectionIndex" },
        cell = function() return view.cell {
          view.field { width = 8, bindTo = { text = "<> dataObject.name" } },
          view.stepper { width = 9, maximum = 1000, bindTo = { value = "<> dataObject.rank" } },
          view.checkbox { bindTo = { isOn = "<> dataObject.done" } },
        } end },
      view.field { id = "name", bindTo = { text = "<> c.selection.name" } },
      view.toggle { id = "done", bindTo = { isOn = "<> c.selection.done" } },
    })
    function shown() return c.selectedObject and c.selectedObject.id or 0 end
    function held()
      local lines = {}
      for _, row in ipairs(desk.rows) do
        lines[#lines + 1] = ("%d %d %d %s"):format(row.id, row.rank, row.done and 1 or 0, row.name)
      end
      return table.concat(lines, "\\n")
    end
    """

  private struct Values: Equatable {
    var rank: Int
    var isDone = false
  }

  private struct Letter {
    let character: Character
    let record: Int?
    let isLost: Bool
    let seat: Int
  }

  /// A person with an app.
  private final class Seat {
    let runtime: Runtime
    let scene: Scene
    let person: KeyboardPerson
    var edit: (view: View, record: Int?, isLost: Bool)?

    init(_ models: SharedModels) throws {
      var configuration = Runtime.Configuration()
      configuration.shared = models
      runtime = try Runtime(file: "app.lua", configuration: configuration)
      try runtime.evaluate(SharedPlay.script, as: Value.self)
      guard let scene = runtime.scene else {
        throw TideError(.unknownView, "the app shows nothing")
      }
      self.scene = scene
      person = try KeyboardPerson(runtime, scene, TextRenderer(size: Size(width: 40, height: 16)))
    }

    func has(_ id: Int) throws -> Bool {
      try runtime.evaluate("row(\(id)) ~= nil", as: Bool.self)
    }

    func record(under view: View) throws -> Int? {
      var current: View? = view
      while let next = current, !(next is CellView) { current = next.superview }
      if let cell = current {
        let object: Value = cell[.dataObject]
        guard case .object(let row as DataObject) = object, case .integer(let id) = row["id"] else {
          return nil
        }
        return id
      }
      let id = try runtime.evaluate("shown()", as: Int.self)
      return id == 0 ? nil : id
    }

    var controls: [View] {
      var found: [View] = []
      var waiting = scene.root.map { [$0] } ?? []
      while let view = waiting.popLast() {
        let isControl = view is TextInputView || view is StepperView || view is ToggleView
        if isControl, person.reaches(view) { found.append(view) }
        waiting += view.subviews.reversed()
      }
      return found
    }
  }

  private var source: ByteSource
  private let models = SharedModels()
  private var seats: [Seat] = []
  private var values: [Int: Values] = [:]
  private var letters: [Letter] = []
  private var nextLetter: UInt32 = 0x4E00
  private var count = 6
  private(set) var log: [String] = []

  init(_ input: [UInt8]) throws {
    source = ByteSource(input)
    for _ in 0..<2 {
      seats.append(try Seat(models))
      try settle()
    }
    try run(0, "for id = 1, 6 do desk.rows:append(make(id)) end")
    for id in 1...6 { values[id] = Values(rank: id) }
  }

  func fault() throws -> String? {
    while !source.isAtEnd {
      try step(source.number(below: 2))
      if let fault = try faultNow() { return fault }
    }
    return nil
  }

  /// All that was written arrives, and is shown.
  private func settle() throws {
    for _ in 0..<8 {
      for seat in seats { seat.runtime.turn(timeout: 0) }
    }
    for seat in seats {
      try seat.person.settle()
      if seat.edit?.view !== seat.person.focused { seat.edit = nil }
      if let id = seat.edit?.record, try !seat.has(id) {
        seat.edit?.record = nil
        seat.edit?.isLost = true
      }
    }
  }

  private func step(_ number: Int) throws {
    let seat = seats[number]
    switch source.number(below: 20) {
    case 0..<10: try act(number)
    case 10..<13:
      let controls = seat.controls
      if controls.isEmpty { return }
      let view = controls[source.number(below: controls.count)]
      log.append("\(number) goes to \(view.viewClass.name)")
      try seat.person.focus(view)
      try settle()
    case 13:
      let before = try seat.runtime.evaluate("shown()", as: Int.self)
      try run(number, "c.selectionIndex = \(source.number(below: 4) + 1)")
      let after = try seat.runtime.evaluate("shown()", as: Int.self)
      if after != before, seat.edit?.isLost == false { seat.edit = nil }
    case 14: try run(number, "look.which = \(source.number(below: 3))")
    case 15:
      let id = source.number(below: count) + 1
      try run(number, "local r = row(\(id)) if r then desk.rows:removeObject(r) end")
    case 16:
      count += 1
      values[count] = Values(rank: count)
      try run(number, "desk.rows:insert(1, make(\(count)))")
    case 17: try run(number, "if #desk.rows > 1 then desk.rows:move(1, #desk.rows) end")
    default:
      let id = source.number(below: count) + 1
      try run(number, "local r = row(\(id)) if r then r.name = 'w' .. r.name end")
    }
  }

  private func act(_ number: Int) throws {
    let seat = seats[number]
    guard let view = seat.person.focused, seat.person.reaches(view) else {
      log.append("\(number): Tab")
      try seat.person.press(key: "Tab")
      return try settle()
    }
    if seat.edit?.view !== view || seat.edit?.record == nil && seat.edit?.isLost == false {
      seat.edit = (view, try seat.record(under: view), false)
    }
    let record = seat.edit?.record
    log.append("\(number): \(view.viewClass.name) of \(record.map(String.init) ?? "none")")
    switch view {
    case let field as TextInputView:
      nextLetter += 1
      let character = Character(Unicode.Scalar(nextLetter) ?? "?")
      letters.append(
        Letter(
          character: character, record: record, isLost: seat.edit?.isLost ?? false, seat: number))
      try seat.person.type(String(character), in: field)
    case let stepper as StepperView:
      if let record { values[record]?.rank += 1 }
      try seat.person.stepUp(stepper)
    case is ToggleView:
      if let record { values[record]?.isDone.toggle() }
      try seat.person.press(view)
    default:
      seat.edit = nil
      try seat.person.press(key: "Down")
    }
    try settle()
  }

  private func run(_ number: Int, _ script: String) throws {
    log.append("\(number): \(script)")
    try seats[number].runtime.evaluate(script, as: Value.self)
    try settle()
  }

  private func faultNow() throws -> String? {
    for (number, seat) in seats.enumerated() {
      var names: [Int: String] = [:]
      let text = try seat.runtime.evaluate("held()", as: String.self)
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: " ", maxSplits: 3)
        let numbers = parts.prefix(3).map { Int($0) ?? -1 }
        names[numbers[0]] = String(parts[3])
        let held = Values(rank: numbers[1], isDone: numbers[2] == 1)
        if held != values[numbers[0]] {
          return "for \(number), record \(numbers[0]) holds \(held), and not"
            + " \(values[numbers[0]] as Any)"
        }
      }
      let notices = seat.runtime.errorsOfEdits.map(\.message).joined()
      for letter in letters {
        let found = names.filter { $0.value.contains(letter.character) }.map(\.key).sorted()
        let wanted = letter.record.flatMap { names[$0] == nil ? nil : [$0] } ?? []
        if found != wanted {
          return "for \(number), \(letter.character) is in \(found), and not in \(wanted)"
        }
        if letter.isLost, letter.seat == number, !notices.contains(letter.character) {
          return "for \(number), \(letter.character) is in no notice"
        }
      }
    }
    return nil
  }
}
