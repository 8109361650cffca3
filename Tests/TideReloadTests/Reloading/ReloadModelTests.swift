import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideScript

@testable import TideReload

/// Random versions of an app, good and bad, against a model of what they should leave.
@Suite struct `Reloads and their model` {
  /// What a declaration says of the properties of one model.
  private struct Declaration {
    var numbers: [String: Int] = [:]
    var lists: [String: [Int]] = [:]
    var computed: Set<String> = []

    static let names = ["a", "b", "c", "d", "e", "f"]

    /// A little different from another one.
    func changed(_ random: inout some RandomNumberGenerator) -> Declaration {
      var new = self
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let name = Self.names.randomElement(using: &random) ?? "a"
        (new.numbers[name], new.lists[name]) = (nil, nil)
        new.computed.remove(name)
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: new.numbers[name] = Int.random(in: 0..<3, using: &random)
        case 2: new.lists[name] = (0..<Int.random(in: 0..<3, using: &random)).map { $0 }
        case 3: new.computed.insert(name)
        default: break
        }
      }
      return new
    }

    var text: String {
      var fields = numbers.map { "\($0.key) = \($0.value)" }
      fields += lists.map { "\($0.key) = { \($0.value.map(String.init).joined(separator: ", ")) }" }
      fields += computed.map { "\($0) = computed(function() return '\($0)' end)" }
      return "model 'm' { \(fields.sorted().joined(separator: ", ")) }"
    }
  }

  /// What the model holds.
  private struct Held: Equatable {
    var numbers: [String: Int] = [:]
    var lists: [String: [Int]] = [:]

    mutating func take(_ new: Declaration, after old: Declaration) {
      for (name, value) in new.numbers where old.numbers[name] != value || numbers[name] == nil {
        numbers[name] = value
      }
      for (name, list) in new.lists where old.lists[name] != list || lists[name] == nil {
        lists[name] = list
      }
      numbers = numbers.filter { new.numbers[$0.key] != nil }
      lists = lists.filter { new.lists[$0.key] != nil }
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `agree on every value`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &* 7919 &+ 1)
    var declaration = Declaration(numbers: ["a": 1], lists: ["b": [1]])
    var held = Held()
    held.take(declaration, after: Declaration())
    let app = try ReloadedApp(["app.lua": declaration.text])
    try app.run("held = models.m")
    for step in 0..<60 {
      try write(&held, app, &random)
      let next = declaration.changed(&random)
      let isGood = Bool.random(using: &random)
      var text = next.text
      if !isGood {
        text +=
          " for _, k in ipairs {'a','b','c','d','e','f'} do pcall(function() models.m[k] = 77 end)"
          + " pcall(function() models.m[k]:append(5) end) end "
        text +=
          ["error 'bad'", "effect(function() error 'bad' end)", "bind('m.zz -> m.a')"]
          .randomElement(using: &random) ?? ""
      }
      let report = app.save(["app.lua": text + " -- \(step)"])
      #expect((report.error == nil) == isGood, "\(text): \(report.error?.description ?? "")")
      if (report.error == nil) != isGood { return }
      if isGood {
        held.take(next, after: declaration)
        declaration = next
      }
      let found = try read(app, declaration)
      #expect(found == held, "seed \(seed), step \(step): \(text)")
      #expect(app.runtime.graph.brokenInvariants() == [])
      #expect(try app.value("held == models.m") == "true")
      if found != held { return }
    }
  }

  private func write(
    _ held: inout Held, _ app: ReloadedApp, _ random: inout some RandomNumberGenerator
  ) throws {
    if let name = held.numbers.keys.sorted().randomElement(using: &random) {
      let value = Int.random(in: 0..<100, using: &random)
      held.numbers[name] = value
      try app.run("held.\(name) = \(value)")
    }
    if let name = held.lists.keys.sorted().randomElement(using: &random) {
      held.lists[name]?.append(9)
      try app.run("held.\(name):append(9)")
    }
  }

  private func read(_ app: ReloadedApp, _ declaration: Declaration) throws -> Held {
    var found = Held()
    for name in Declaration.names {
      let text = try app.value(
        "(function() local ok, v = pcall(function() return held.\(name) end) "
          + "if not ok then return 'none' elseif type(v) == 'userdata' then "
          + "return 'list ' .. table.concat(v:totable(), ' ') else return v end end)()")
      if text.hasPrefix("list") {
        found.lists[name] = text.split(separator: " ").dropFirst().compactMap { Int($0) }
      } else if declaration.computed.contains(name) {
        #expect(text == name)
      } else if text != "none" {
        found.numbers[name] = Double(text).map { Int($0) }
      }
    }
    return found
  }
}
