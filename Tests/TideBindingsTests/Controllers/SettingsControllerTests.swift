import Fuzzing
import Foundation
import Testing
import TideGraph

@testable import TideBindings

@Suite struct SettingsControllerTests {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "tidelock-settings-\(UUID().uuidString)").path
  var path: String { folder + "/deep/settings.json" }

  func contents() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  func leave() { try? FileManager.default.removeItem(atPath: folder) }

  @Test func `what is set is in the file, and there at the next start`() throws {
    defer { leave() }
    let first = SettingsController(path: path, initialValues: ["theme": "dark", "size": 80])
    #expect(first.values[entry: "theme"] == "dark")
    #expect(!FileManager.default.fileExists(atPath: path))
    first.values[entry: "theme"] = "light \"é\"\n\u{1}"
    first.values[entry: "ratio"] = 0.5
    first.values[entry: "on"] = true
    first.values[entry: "recent"] = .object(ValueList(["a", 1, .null]))
    #expect(try contents().contains("\"ratio\": 0.5"))
    let second = SettingsController(path: path, initialValues: ["theme": "dark", "size": 80])
    #expect(second.values[entry: "theme"] == "light \"é\"\n\u{1}")
    #expect(second.values[entry: "size"] == 80 && second.values[entry: "on"] == true)
    guard case .object(let recent as ValueList) = second.values[entry: "recent"] else {
      Issue.record("no list was kept")
      return
    }
    #expect(recent.count == 3 && recent[1] == 1)
    try recent.append("more")
    #expect(try contents().contains("more"))
    #expect(!second.hasUnappliedChanges)
    second.revertToInitialValues()
    #expect(try contents() == "{\n  \"$settings\": 2,\n  \"values\": {}\n}\n")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/deep")
    #expect(left == ["settings.json"])
  }

  @Test func `changes wait for save, and revert takes them back`() throws {
    defer { leave() }
    let settings = SettingsController(path: path, initialValues: ["theme": "dark"])
    settings.appliesImmediately = false
    settings.values[entry: "theme"] = "light"
    #expect(settings.hasUnappliedChanges)
    #expect(!FileManager.default.fileExists(atPath: path))
    settings.revert()
    #expect(settings.values[entry: "theme"] == "dark" && !settings.hasUnappliedChanges)
    settings.values[entry: "theme"] = "light"
    try settings.save()
    #expect(try contents().contains("light") && !settings.hasUnappliedChanges)
    settings.values[entry: "theme"] = "blue"
    settings.appliesImmediately = true
    #expect(try contents().contains("blue"))
  }

  @Test func `two runs at once keep what each of them has set`() throws {
    defer { leave() }
    let before = SettingsController(path: path)
    before.values[entry: "theme"] = "dark"
    before.values[entry: "size"] = 1
    before.values[entry: "gone"] = true
    let (one, other) = (SettingsController(path: path), SettingsController(path: path))
    one.values[entry: "theme"] = "light"
    one.values[entry: "list"] = .object(ValueList([1, 2]))
    other.values[entry: "size"] = 2
    other.values[entry: "gone"] = .null
    one.values[entry: "more"] = 0.5
    // Of what both have set, the last word holds.
    other.values[entry: "theme"] = "blue"
    #expect(other.values[entry: "list"] == .null, "a run shows what it has read and set")
    let after = SettingsController(path: path)
    #expect(after.values[entry: "theme"] == "blue" && after.values[entry: "size"] == 2)
    #expect(after.values[entry: "gone"] == .null && after.values[entry: "more"] == 0.5)
    guard case .object(let list as ValueList) = after.values[entry: "list"] else {
      Issue.record("the list was lost")
      return
    }
    #expect(list.values == [1, 2])
    #expect(!one.hasUnappliedChanges && !other.hasUnappliedChanges)
  }

  @Test func `two runs at once keep what each of them has set, also where it waits`() throws {
    defer { leave() }
    let table = BindingTable.current
    defer { table.hooks.awaitTurnEnd = nil }
    table.hooks.awaitTurnEnd = {}
    let (one, other) = (SettingsController(path: path), SettingsController(path: path))
    for number in 1...50 {
      one.values[entry: "one \(number)"] = .integer(number)
      other.values[entry: "other \(number)"] = .integer(number)
    }
    #expect(!one.hasUnappliedChanges && one.writeCount == 1 && other.writeCount == 1)
    table.endTurn()
    #expect(!one.hasUnappliedChanges && one.writeCount == 2 && other.writeCount == 2)
    table.endTurn()
    #expect(one.writeCount == 2)
    let after = SettingsController(path: path)
    for number in 1...50 {
      #expect(after.values[entry: "one \(number)"] == .integer(number))
      #expect(after.values[entry: "other \(number)"] == .integer(number))
    }
    one.values[entry: "again"] = true
    #expect(one.writeCount == 3)
  }

  /// What `change`, called for so many settings in one turn, makes to text.
  private func bytesSerialized(
    _ count: Int, inBatch: Bool = false, isImmediate: Bool = true, isBound: Bool = false,
    _ change: (SettingsController, Int) throws -> Void
  ) throws -> Int {
    let table = BindingTable.current
    defer { table.hooks.awaitTurnEnd = nil }
    table.hooks.awaitTurnEnd = {}
    let settings = SettingsController()
    settings.appliesImmediately = isImmediate
    let context = BindingContext()
    defer { context.removeAll() }
    if isBound {
      try context.observe(settings, "hasUnappliedChanges") { _, _ in }
    }
    func changeAll() throws { for number in 1...count { try change(settings, number) } }
    if inBatch { try settings.graph.batch { try changeAll() } } else { try changeAll() }
    table.endTurn()
    return settings.serializedBytes
  }

  /// Changes of settings whose cost is compared.
  private static let changes: [@Sendable (SettingsController, Int) throws -> Void] = [
    { $0.values[entry: "key \($1 + 100_000)"] = .integer($1 + 100_000) },
    { $0.values[entry: "key \($1 + 100_000)"] = .object(ValueList([.integer($1 + 100_000)])) },
    { settings, number in
      let list = ValueList([.integer(100_000)])
      settings.values[entry: "key \(number + 100_000)"] = .object(list)
      try list.append("more")
      _ = settings.hasUnappliedChanges
    },
    { settings, number in
      settings.values[entry: "key \(number + 100_000)"] = .integer(100_000)
      settings.appliesImmediately.toggle()
      settings.appliesImmediately.toggle()
    },
  ]

  @Test(arguments: 0..<changes.count, [false, true])
  func `what changes cost grows as their number does`(_ change: Int, isImmediate: Bool) throws {
    for (isBound, inBatch) in [(false, false), (true, false), (true, true)] {
      let costs = try [50, 800].map {
        try bytesSerialized(
          $0, inBatch: inBatch, isImmediate: isImmediate, isBound: isBound, Self.changes[change])
      }
      #expect(costs[0] > 0 || !isImmediate)
      #expect(costs[1] <= 20 * costs[0], "\(costs), bound: \(isBound), in a batch: \(inBatch)")
    }
  }

  @Test func `one list that grows is written as often as turns end`() throws {
    func cost(_ count: Int) throws -> Int {
      let list = ValueList()
      return try bytesSerialized(count) { settings, number in
        if number == 1 { settings.values[entry: "list"] = .object(list) }
        try list.append(.integer(number + 100_000))
      }
    }
    let costs = try [cost(100), cost(1600)]
    #expect(costs[1] <= 20 * costs[0], "\(costs)")
  }

  @Test func `what has been applied and what has not is told apart as a simple model does`() throws
  {
    var random = SeededGenerator("unapplied settings")
    let table = BindingTable.current
    defer { table.hooks.awaitTurnEnd = nil }
    for round in 0..<60 {
      table.hooks.awaitTurnEnd = round.isMultiple(of: 2) ? nil : {}
      let settings = SettingsController(
        initialValues: ["k1": 0, "k2": .object(ValueList([1, 2]))])
      // Text of what was applied, made anew from all of it each time.
      func text() -> String {
        var writer = SettingsWriter()
        writer.write(
          settings: settings.store.possibleKeys.compactMap { key in
            settings.store.entry(of: settings.store.candidate(for: key)).map { (key, $0) }
          })
        return writer.text
      }
      var applied = text()
      for _ in 0..<80 {
        let key = "k\(Int.random(in: 1...40, using: &random))"
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2:
          settings.values[entry: key] = .integer(Int.random(in: 0...2, using: &random))
        case 3...4: settings.values[entry: key] = .object(ValueList([1, 2]))
        case 5: settings.values[entry: key] = .null
        case 6:
          if case .object(let list as ValueList) = settings.values[entry: key] {
            if list.count < 5 { try list.append(3) } else { try list.remove(at: list.count - 1) }
          }
        case 7:
          if case .object(let list as ValueList) = settings.values[entry: key], list.count > 2 {
            try list.remove(at: list.count - 1)
          }
        case 8: settings.appliesImmediately.toggle()
        case 9:
          settings.revert()
          #expect(text() == applied)
        case 10:
          try settings.save()
          applied = text()
        default: settings.initialValues[entry: key] = .integer(0)
        }
        if settings.appliesImmediately { applied = text() }
        if Int.random(in: 0..<4, using: &random) == 0 { table.endTurn() }
        if Bool.random(using: &random) {
          #expect(settings.hasUnappliedChanges == (text() != applied))
        }
      }
    }
  }
}
