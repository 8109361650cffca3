import FoundationEssentials
import Fuzzing
import Testing
import TideBindings
import TideGraph
import TideLua
import TideScript

@Suite struct `Properties of Swift types` {
  enum Kind: String, CaseIterable, TideConvertible { case calm, merry }
  enum Level: Int, TideConvertible { case low = 1, high = 2 }
  struct Point: Codable, Equatable, TideConvertible { var x = 0.0, y = 0.0 }
  final class Account: TideConvertible {}

  final class Pet: DataObject { @Property var name = "Rex" }

  final class Everything: DataObject {
    @Property var flag = true
    @Property var integer = 1
    @Property var byte: UInt8 = 1
    @Property var short: Int16 = 1
    @Property var huge: UInt64 = 1
    @Property var number = 1.5
    @Property var single: Float = 1
    @Property var decimal: Decimal = 1
    @Property var text = "a"
    @Property var kind = Kind.calm
    @Property var level = Level.low
    @Property var pet = Pet()
    @Property var maybeFlag: Bool?
    @Property var maybeInteger: Int?
    @Property var maybeByte: UInt8?
    @Property var maybeText: String?
    @Property var maybeKind: Kind?
    @Property var maybePet: Pet?
    @Property var date = Date(timeIntervalSince1970: 0)
    @Property var id = UUID()
    @Property var url = URL(filePath: "/")
    @Property var data = Data([1])
    @Property var bytes: [UInt8] = [1]
    @Property var words = ["a"]
    @Property var kinds: [Kind] = []
    @Property var ages = ["Ann": 1]
    @Property var point = Point()
    @Property var points: [Point]? = nil
    @Property var account: Account?
    @Property var pets = ObservableList<Pet>()
    @Property var anything: Value = nil
    @Property(validate: { $0.count < 3 ? .accept : .refuse("too many") }) var few = [1]
    @Property(validate: { $0 <= 100 ? .accept : .replace(100) }) var percent: UInt8 = 1
  }

  /// Reads a property as Swift does and as the border does: both must give the same.
  struct Reading {
    let name: String
    let agrees: (Everything) throws -> Bool

    init<Content: TideConvertible & Equatable>(
      _ name: String, _ path: KeyPath<Everything, Content>
    ) {
      self.name = name
      agrees = {
        let read = $0[keyPath: path], shown = try Content.make(from: $0.value(of: name))
        // What is no number is not even itself in Swift.
        return shown == read || (shown != shown && read != read)
      }
    }

    init<Object: AnyObject & TideConvertible>(
      objectNamed name: String, _ path: KeyPath<Everything, Object>
    ) {
      self.name = name
      agrees = { try Object.make(from: $0.value(of: name)) === $0[keyPath: path] }
    }
  }

  static var readings: [Reading] {
    [
      Reading("flag", \.flag), Reading("integer", \.integer), Reading("byte", \.byte),
      Reading("short", \.short), Reading("huge", \.huge), Reading("single", \.single),
      Reading("decimal", \.decimal), Reading("text", \.text), Reading("kind", \.kind),
      Reading("level", \.level), Reading(objectNamed: "pet", \.pet),
      Reading("maybeFlag", \.maybeFlag), Reading("maybeInteger", \.maybeInteger),
      Reading("maybeByte", \.maybeByte), Reading("maybeText", \.maybeText),
      Reading("maybeKind", \.maybeKind), Reading("date", \.date), Reading("id", \.id),
      Reading("url", \.url), Reading("data", \.data), Reading("bytes", \.bytes),
      Reading("words", \.words), Reading("kinds", \.kinds), Reading("ages", \.ages),
      Reading("point", \.point), Reading("points", \.points), Reading("few", \.few),
      Reading("percent", \.percent),
    ]
  }

  /// What scripts write that fits few properties or none.
  static let hostile = [
    "nil", "null", "true", "false", "0", "1", "-1", "2", "255", "256", "300", "1.5", "1e300",
    "-1e300", "0/0", "1/0", "-1/0", "math.maxinteger", "math.mininteger", "2^53", "2^63", "''",
    "'calm'", "'merry'", "'angry'", "'12'", "'\\xff\\xfe'", "'not a uuid'", "'http://x/y'",
    "'6BA7B810-9DAD-11D1-80B4-00C04FD430C8'", "{}", "{ 1, 2 }", "{ 'a', 'b' }", "{ 'calm' }",
    "{ 1, 'x' }", "{ 1, 2, 3, 4 }", "{ x = 1, y = 2 }", "{ x = 1 }", "{ x = 'a', y = 2 }",
    "{ Ann = 2 }", "{ Ann = 'two' }", "{ { x = 1, y = 2 } }", "{ { 1 } }", "print", "bind",
    "coroutine.create(print)", "models.pet", "models.other", "account", "models",
    "setmetatable({}, { __index = print })", "{ 1, null, 3 }", "{ models.pet }", "{ [1.5] = 1 }",
  ]

  /// What may stand in a file of settings, which people edit, too.
  static let hostileJSON = [
    "null", "true", "false", "0", "-1", "2", "255", "256", "-32769", "1.5", "1e300", "-0.0",
    "1e-400",
    "9223372036854775807", "-9223372036854775808", "2.0", "\"\"", "\"calm\"", "\"angry\"", "\"12\"",
    "\"\\u0000\\ud83d\\ude00\"", "\"6BA7B810-9DAD-11D1-80B4-00C04FD430C8\"", "\"http://x/y\"", "[]",
    "[1, 2]", "[\"a\", \"b\"]", "[\"calm\"]", "[1, \"x\"]", "[1, 2, 3, 4]", "[null]", "[[1]]", "{}",
    "{ \"x\": 1, \"y\": 2 }", "{ \"x\": 1 }", "{ \"x\": \"a\", \"y\": 2 }", "{ \"Ann\": 2 }",
    "{ \"Ann\": \"two\" }", "[{ \"x\": 1, \"y\": 2 }]", "{ \"$number\": \"nan\" }",
    "{ \"$number\": \"inf\" }", "{ \"$bytes\": \"fffe00\" }", "{ \"$marker\": \"null\" }",
    "{ \"$object\": { \"name\": \"string\" }, \"name\": \"Rex\" }",
  ]

  /// Settings of their own, in a file that holds one value.
  private func settings(_ json: String, in file: String) throws -> SettingsController {
    let text = "{ \"$settings\": 2, \"values\": { \"v\": \(json) } }"
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    return SettingsController(path: file)
  }

  private func fixture() throws -> (Runtime, Everything) {
    let runtime = try Runtime(file: "border.lua")
    let everything = Everything()
    try runtime.register("m", everything)
    try runtime.register("pet", Pet())
    try runtime.register("other", Everything())
    let account = Account()
    try runtime.register("makeAccount") { () -> Account in account }
    try runtime.evaluate("account = makeAccount()", as: Value.self)
    return (runtime, everything)
  }

  private func agree(_ everything: Everything, after what: String) throws {
    for reading in Self.readings {
      #expect(try reading.agrees(everything), "\(reading.name) after \(what)")
    }
    _ = (everything.number, everything.maybePet, everything.account, everything.anything)
    _ = everything.pets.elements
  }

  @Test func `hold what any script, binding or host writes, or refuse it`() throws {
    let (runtime, everything) = try fixture()
    var observed = 0
    let context = runtime.context
    for property in everything.shape.properties {
      _ = try context.observe(everything, property.name) { _, _ in observed += 1 }
    }
    let carrier = DictionaryObject()
    try runtime.register("carrier", carrier)
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed of the border: \(seed)")
    var generator = SeededGenerator(seed: seed)
    let file = FileManager.default.temporaryDirectory
      .appending(path: "tidelock-border-\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    for _ in 0..<4000 {
      let name = everything.shape.properties.randomElement(using: &generator)?.name ?? ""
      let way = Int.random(in: 0..<8, using: &generator)
      let isWrittenInFile = way == 3 || way == 4
      let text =
        (isWrittenInFile ? Self.hostileJSON : Self.hostile).randomElement(using: &generator) ?? ""
      var before = try everything.value(of: name)
      let what = "\(name) = \(text), way \(way)"
      do {
        switch way {
        case 0: try runtime.evaluate("models.m.\(name) = \(text)", as: Value.self)
        case 1: try everything.set(name, try runtime.evaluate(text, as: Value.self))
        case 3:
          // The file says it at first, and the program may then write what it makes of it.
          let settings = try settings(text, in: file)
          let binding = try context.bind("values.v <> \(name)", settings, everything)
          defer { binding.unbind() }
          if let error = binding.error { throw error }
        case 4:
          let settings = try settings(text, in: file)
          settings.values.set(.text("w"), before)
          try settings.save()
          // What was kept is read by another run.
          let next = SettingsController(path: file)
          try everything.set(name, next.values[.text("w")])
          before = try everything.value(of: name)
          try everything.set(name, next.values[.text("v")])
        case 5: try runtime.evaluate("ref(models.m, '\(name)').value = \(text)", as: Value.self)
        case 6:
          try runtime.evaluate(
            "selected = selected or controller.object { content = models.m } "
              + "selected.selection.\(name) = \(text)", as: Value.self)
        case 7:
          try runtime.evaluate(
            "batch(function() models.m.\(name) = \(text) models.m.\(name) = \(text) end)",
            as: Value.self)
        default:
          let binding = try context.bind("value -> \(name)", carrier, everything)
          defer { binding.unbind() }
          // It has written at first what its source held before.
          before = try everything.value(of: name)
          try runtime.evaluate("models.carrier.value = \(text)", as: Value.self)
        }
      } catch {
        #expect(try everything.value(of: name) == before, "refused, but written: \(what)")
        let code = (error as? TideError)?.code
        // Bindings convert where they can, and settings keep what they can.
        let codes: [TideError.Code] =
          way < 3
          ? [.wrongType, .refused, .badArgument]
          : [.wrongType, .refused, .badArgument, .conversion, .settings]
        #expect(code.map(codes.contains) == true, "\(what): \(error)")
      }
      try agree(everything, after: what)
    }
    #expect(observed > 0)
    for reading in Self.readings {
      _ = try runtime.evaluate("models.m.\(reading.name)", as: Value.self)
    }
  }

  @Test func `are refused where they do not fit, in words that say why`() throws {
    let (runtime, everything) = try fixture()
    func message(_ write: String) -> String {
      do {
        try runtime.evaluate("models.m.\(write)", as: Value.self)
        return "no error"
      } catch let error as TideError {
        return error.code == .wrongType || error.code == .refused ? error.message : "\(error)"
      } catch { return "\(error)" }
    }
    #expect(message("single = 1e300").contains("1e+300 does not fit Float"))
    #expect(message("byte = 300").contains("300 does not fit UInt8"))
    #expect(message("kind = 'angry'").contains("holds one of calm, merry, not string (\"angry\")"))
    #expect(message("maybeKind = 'angry'").contains("one of calm, merry or nil"))
    #expect(message("pet = models.other").contains("holds a Pet, not object (Everything)"))
    #expect(message("words = { 'a', 2 }").contains("[2]: string expected, got number"))
    #expect(message("point = { x = 1 }").contains("y: no value"))
    #expect(message("id = 'x'").contains("cannot read 'x' as a UUID"))
    #expect(message("few = { 1, 2, 3 }").contains("too many"))
    #expect(everything.single == 1 && everything.byte == 1 && everything.few == [1])
    try runtime.evaluate("models.m.percent = 200", as: Value.self)
    #expect(everything.percent == 100)
  }

  @Test func `come to scripts as values of theirs, and back`() throws {
    let (runtime, everything) = try fixture()
    everything.words = ["x", "y"]
    everything.ages = ["Bob": 7]
    everything.point = Point(x: 1, y: 2)
    everything.data = Data([0xff])
    everything.date = Date(timeIntervalSince1970: 12)
    everything.decimal = Decimal(string: "0.1") ?? 0
    #expect(try runtime.evaluate("table.concat(models.m.words, '-')", as: String.self) == "x-y")
    #expect(try runtime.evaluate("models.m.ages.Bob", as: Int.self) == 7)
    #expect(try runtime.evaluate("models.m.point", as: Point.self) == Point(x: 1, y: 2))
    #expect(try runtime.evaluate("models.m.data", as: Data.self) == Data([0xff]))
    #expect(try runtime.evaluate("models.m.date", as: Date.self) == everything.date)
    #expect(try runtime.evaluate("models.m.decimal", as: Decimal.self) == everything.decimal)
    #expect(try runtime.evaluate("models.m.pet", as: Pet.self) === everything.pet)
    try runtime.evaluate(
      """
      local m = models.m
      m.words = { 'p', 'q', 'r' }
      m.point = { x = 3, y = 4 }
      m.points = { m.point }
      m.date = m.date + 1
      m.account = account
      """, as: Value.self)
    #expect(everything.words == ["p", "q", "r"])
    #expect(everything.point == Point(x: 3, y: 4) && everything.points == [Point(x: 3, y: 4)])
    #expect(everything.date == Date(timeIntervalSince1970: 13))
    #expect(everything.account != nil)
  }

  @Test func `are not changed by what becomes of a written value, nor by what does not fit`() throws
  {
    let (runtime, everything) = try fixture()
    try runtime.evaluate(
      """
      local m = models.m
      local words, ages, points = list { "a" }, dict { Ann = 1 }, list { { x = 1, y = 2 } }
      m.words, m.few, m.ages, m.points, m.kinds = words, list { 1 }, ages, points, list { "calm" }
      words:append(5)
      words[1] = print
      ages.Ann = "two"
      points:append(1)
      for _, name in ipairs { "words", "few", "ages", "points", "kinds", "point" } do
        local value = m[name]
        pcall(function() value[1] = print end)
        pcall(function() value.x = print end)
        pcall(function() value.Ann = print end)
        pcall(function() value:append(print) end)
        pcall(table.insert, value, print)
      end
      """, as: Value.self)
    try agree(everything, after: "edits of values")
    #expect(everything.words == ["a"])
    #expect(everything.few == [1])
    #expect(everything.ages == ["Ann": 1])
    #expect(everything.points == [Point(x: 1, y: 2)])
    #expect(everything.kinds == [.calm])
  }

  @Test func `keep what no script can hold`() throws {
    let (runtime, everything) = try fixture()
    everything.huge = .max
    everything.decimal = Decimal(string: "1234567890.12345678901234567890") ?? 0
    #expect(everything.huge == .max)
    #expect("\(everything.decimal)" == "1234567890.1234567890123456789")
    let error = #expect(throws: TideError.self) {
      try runtime.evaluate("models.m.huge", as: Value.self)
    }
    #expect(error?.message.contains("does not fit a Lua integer") == true, "\(error as Any)")
  }

  @Test func `wake nobody when a text of Swift's that no script has read is assigned once more`()
    throws
  {
    let (runtime, everything) = try fixture()
    everything.text = "Ada"
    var runs = 0
    let effect = runtime.graph.effect {
      _ = everything.text
      runs += 1
    }
    try runtime.evaluate("models.m.text = 'Ada'", as: Value.self)
    #expect(runs == 1)
    try runtime.evaluate("models.m.text = 'Bob'", as: Value.self)
    #expect(runs == 2)
    withExtendedLifetime(effect) {}
  }

  @Test func `wake nobody when an equal value is written`() throws {
    let (runtime, everything) = try fixture()
    var seen = 0
    _ = try runtime.context.observe(everything, \.words) { _, _ in seen += 1 }
    everything.words = ["a"]
    #expect(seen == 0)
    try runtime.evaluate("models.m.words = { 'a' }", as: Value.self)
    #expect(seen == 0)
    try runtime.evaluate("models.m.words = { 'b' }", as: Value.self)
    #expect(seen == 1)
  }
}
