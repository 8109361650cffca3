import FoundationEssentials
import TideBindings
import TideGraph
import TideLua
import TideScript
import TideViews
import Testing

/// The behaviour cases of the libraries that Tidelock learned from: short scripts that carry their
/// own assertions. A case is `case("K1 what it says", function() … end)` in a file of this folder.
@Suite struct `Behaviour cases` {
  struct Case: CustomTestStringConvertible, Sendable {
    let file: String
    let name: String
    var testDescription: String { name }
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Cases").path

  static let all: [Case] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".lua") }.sorted().flatMap { file -> [Case] in
      let text =
        (try? String(contentsOf: URL(filePath: folder + "/" + file), encoding: .utf8)) ?? ""
      return text.split(separator: "\n").compactMap { line in
        guard line.hasPrefix("case(\""), let end = line.dropFirst(6).firstIndex(of: "\"") else {
          return nil
        }
        return Case(file: file, name: String(line.dropFirst(6)[..<end]))
      }
    }
  }()

  @Test func `there are cases`() {
    #expect(Self.all.count > 40)
    #expect(Set(Self.all.map(\.name)).count == Self.all.count)
  }

  @Test(arguments: Self.all)
  func `holds`(_ example: Case) throws {
    // A busy machine may take its time.
    var configuration = Runtime.Configuration(turn: .seconds(60))
    configuration.clock = VirtualClock()
    configuration.takesStubs = true
    let runtime = try Runtime(
      file: Self.folder + "/" + example.file, configuration: configuration)
    try Self.addWorld(to: runtime)
    try runtime.evaluate(Self.prelude, as: Value.self)
    try runtime.evaluate("wanted = \(TransformCall.quoted(example.name))", as: Value.self)
    try runtime.load()
    // Who waits in the main script is waited for; the clock goes from one thing to do to the next.
    var turns = 0
    while try runtime.evaluate("ran", as: Value.self) != true, runtime.loop.hasWork, turns < 10_000
    {
      runtime.turn()
      turns += 1
    }
    for error in try runtime.evaluate("ran", as: Value.self) == true ? [] : runtime.errors {
      Issue.record(error)
    }
    #expect(try runtime.evaluate("ran", as: Value.self) == true, "the case did not run")
  }

  /// What happens around an app: time passes, people type, controls send events.
  static func addWorld(to runtime: Runtime) throws {
    try add("advance", to: runtime) { [unowned runtime] call in
      runtime.loop.advance(by: try call.number(0))
      runtime.settle()
    }
    try add("send", to: runtime) { call in
      let view = try View.fromLua(call.value(0))
      view.send(EventName(try call.string(1)))
    }
    try add("draw", to: runtime) { [unowned runtime] _ in
      try #require(runtime.scene).commit()
    }
    // What happens when the main script of an app has run.
    try add("finish", to: runtime) { [unowned runtime] _ in runtime.finish() }
    try add("keys", to: runtime) { [unowned runtime] call in
      try #require(runtime.scene).send(keys: try call.string(0))
    }
    try add("press", to: runtime) { call in
      let view = try View.fromLua(call.value(0))
      #expect(view.handle(try Key(call.string(1))))
    }
  }

  private static func add(
    _ name: String, to runtime: Runtime, _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws {
    try runtime.lua.globals.rawSet(
      .string(name), .function(runtime.lua.function(named: name, body)))
  }

  /// What cases are written with.
  static let prelude = """
    function case(name, body)
      if name == wanted then
        body()
        ran = true
      end
    end
    -- An expression that is a mistake, so that nobody else takes it for one.
    function wrong(expression) return expression end
    function same(actual, expected)
      if actual ~= expected then
        error(("expected %s, got %s"):format(tostring(expected), tostring(actual)), 2)
      end
    end
    -- Writes one value after the other, and compares what another property is after each.
    function carries(source, name, target, other, values)
      for _, pair in ipairs(values) do
        source[name] = pair[1]
        same(target[other], pair[2])
      end
    end
    -- The elements of a list, or a property of each, with commas between.
    function joined(values, name)
      local parts = {}
      for i, value in ipairs(values) do
        if name then value = value[name] end
        parts[i] = tostring(value)
      end
      return table.concat(parts, ",")
    end
    function fails(pattern, fn, ...)
      local ok, message = pcall(fn, ...)
      if ok then error("expected an error with " .. pattern, 2) end
      message = tostring(message)
      if not message:find(pattern, 1, true) then
        error(("expected an error with %q, got %q"):format(pattern, message), 2)
      end
    end
    """
}
