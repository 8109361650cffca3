import FoundationEssentials
import Testing
import TideBindings
import TideScript
import TideViews

@testable import TideREPL

@Suite struct `Asking for help` {
  let runtime: Runtime
  let session: Session

  init() throws {
    runtime = try Runtime(file: "app.lua")
    session = try Session(runtime)
    try runtime.evaluate(
      """
      ran = 0
      Person = class "Person" { name = "", greet = function() ran = ran + 1 end }
      model "fruit" { name = property { default = "apple", description = "What it is called." },
        owner = Person { name = "Ada" }, rename = function() end,
        lazy = computed(function() ran = ran + 1 return 1 end) }
      transformer("shout", string.upper)
      function helper() ran = ran + 1 return 1 end
      view.component("card", { properties = { heading = "" }, events = { "opened" },
        view = function() return view.label {} end })
      show(view.column { view.label { id = "caption" } })
      """, as: Value.self)
  }

  private func lines(_ name: String) -> [String] {
    switch session.run(":help \(name)") {
    case .values(let lines): lines
    case .failed(let error): ["error: " + error.message]
    case .unfinished, .quit: []
    }
  }

  /// A signature and a sentence.
  private func isHelp(_ line: String) -> Bool {
    guard let blanks = line.firstRange(of: "  ") else { return false }
    return !line[..<blanks.lowerBound].isEmpty && line[blanks.upperBound...].count > 3
      && line.hasSuffix(".")
  }

  @Test func `every name of the catalogue has a signature and a sentence`() {
    for name in APICatalogue.names + LuaLibrary.entries.map(\.name) {
      #expect(isHelp(lines(name)[0]), "\(name): \(lines(name)[0])")
    }
    for (type, members) in HelpIndex.shared.types.classes where !type.contains(".") {
      for method in members.methods.keys {
        #expect(isHelp(lines("\(type):\(method)")[0]), "\(type):\(method)")
      }
    }
    for name in TransformerRegistry.builtInNames {
      #expect(lines(name).contains { $0.hasPrefix("| \(name)") && isHelp($0) }, "\(name)")
    }
    for name in ViewClasses().names {
      #expect(lines("view.\(name)").contains { $0.hasPrefix("view.\(name) {") && isHelp($0) })
    }
    for entry in ErrorCatalogue.entries { #expect(isHelp(lines(entry.label)[0])) }
  }

  @Test func `every name of the reference is known`() throws {
    let page = try String(
      contentsOfFile: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Tidelock/Tidelock.docc/Reference.md").standardized.path,
      encoding: .utf8)
    var viewClass: String?
    var count = 0
    func ask(_ name: String) {
      count += 1
      #expect(isHelp(lines(name)[0]), "\(name): \(lines(name)[0])")
    }
    for line in page.split(separator: "\n").map(String.init) {
      if line.hasPrefix("#") {
        viewClass = line.hasPrefix("### view.") ? String(line.dropFirst("### ".count)) : nil
        if let viewClass { ask(viewClass) }
      }
      let names = line.split(separator: "`", omittingEmptySubsequences: false)
        .enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      if line.hasPrefix("| `") {
        // The first cell, and in a table of options all.
        let name = names[0].prefix { $0.isLetter || $0.isNumber || "._".contains($0) }
        ask(String(name))
        if let viewClass { ask("\(viewClass).\(name)") }
        if line.split(separator: "|").count == 2, viewClass == nil { names.forEach(ask) }
      } else if line.hasPrefix("`") || line.contains(": `") {
        for name in names {
          let plain = String(name.prefix { $0.isLetter || $0.isNumber || "._".contains($0) })
          ask(plain)
          if let viewClass, line.hasPrefix("Events") { ask("\(viewClass).\(plain)") }
        }
      }
    }
    #expect(count > 600)
  }

  @Test func `Lua's library is described as scripts have it, and nothing else`() throws {
    let found = try runtime.evaluate(
      """
      local names, api = {}, { tidelock = true }
      for name in pairs(tidelock) do api[name] = true end
      for name, value in pairs(_G) do
        if not api[name] then
          names[#names + 1] = name
          if type(value) == "table" and value ~= _G then
            for member in pairs(value) do
              if type(member) == "string" then names[#names + 1] = name .. "." .. member end
            end
          end
        end
      end
      return table.concat(names, " ")
      """, as: String.self)
    let own: Set = ["ran", "Person", "helper"]
    let library = Set(found.split(separator: " ").map(String.init)).subtracting(own)
    let described = Set(LuaLibrary.entries.map(\.name))
    #expect(library.subtracting(described).isEmpty, "\(library.subtracting(described).sorted())")
    #expect(described.subtracting(library).isEmpty, "\(described.subtracting(library).sorted())")
  }

  @Test func `each error code of the program and of its article has its sentence`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources").standardized.path
    let article = try String(
      contentsOfFile: sources + "/Tidelock/Tidelock.docc/Errors.md", encoding: .utf8)
    for match in article.matches(of: /[EW](\d\d\d\d) ([a-zA-Z]+)/) {
      let entry = ErrorCatalogue.entry("E\(match.1)")
      #expect(entry?.name == String(match.2), "\(match.0)")
    }
    var count = 0
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources)
    where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: sources + "/" + file, encoding: .utf8)
      for match in text.matches(of: /static let (\w+) = Self\("(\w+)", (\d+)\)/)
      where match.1 == match.2 && match.1 != "socket" {
        count += 1
        let number = String(match.3)
        let label = "E" + String(repeating: "0", count: 4 - number.count) + number
        #expect(ErrorCatalogue.entry(label)?.name == String(match.2), "\(file): \(match.0)")
      }
    }
    #expect(count == ErrorCatalogue.entries.count)
  }

  @Test(arguments: [
    ("label.text", "view.label.text: string  The text"),
    ("view.label.text", "view.label.text: string"),
    ("label", "view.label { … }  Shows text."),
    ("list:append", "list:append(...)  Adds at the end."),
    ("string.format", "string.format(format, ...)  Writes values"),
    ("E0402", "E0402 scriptError  The"),
    ("scriptError", "E0402 scriptError  The"), ("uppercase", "| uppercase  Gives the text"),
    ("touchUpInside", "on(view, \"touchUpInside\", fn)  An event of view.button"),
    ("fruit", "models.fruit  A model with "), ("models.fruit", "models.fruit  A model"),
    ("fruit.name", "models.fruit.name: string  What it is called."),
    ("fruit.owner.name", "fruit.owner.name: string  A property of fruit.owner."),
    ("fruit:rename", "fruit:rename(…)  A method of fruit."), ("caption", "views.caption  A label"),
    ("Person", "Person { … }  A class of this app with name: string."),
    ("Person.name", "Person.name: string  A property of Person."),
    ("view.card", "view.card { … }"), ("card.heading", "view.card.heading: string"),
    ("shout", "| shout  A transformer of this app."), ("helper", "helper(…)  A function of"),
    ("why", ":why path  The causes"), (":why", ":why path  The causes"), ("tidelock.bind", "bind("),
  ])
  func `names tell what they are`(_ name: String, _ beginning: String) throws {
    #expect(lines(name)[0].hasPrefix(beginning), "\(lines(name))")
    #expect(try runtime.evaluate("ran", as: Value.self) == 0)
  }

  @Test func `a name of the catalogue stands for nothing else`() {
    for name in ["log.info", "json.decode", "string.format", "math.pi"] {
      #expect(lines(name).count == 1, "\(lines(name))")
    }
  }

  @Test func `an example is given where there is one`() {
    #expect(lines("number").contains("  for example: a.text <- b.value | number(2, grouped)"))
  }

  @Test func `an unknown name has the nearest, and asking runs nothing`() throws {
    #expect(lines("strin.format")[0].contains("did you mean \"string.format\"?"))
    for name in ["qqqqqqqqqq", "qq", "E9999", "fruit.qqqqqqqqqq"] {
      #expect(lines(name).allSatisfy { $0.hasPrefix("error: nothing is known of") }, "\(name)")
    }
    #expect(lines("qqqqqqqqqq")[0].contains(":help lists what there is"))
    _ = lines("helper()")
    _ = lines("fruit.lazy")
    #expect(try runtime.evaluate("ran", as: Value.self) == 0)
  }

  @Test func `what a host describes is known as well`() {
    session.helpIndex = {
      HelpIndex(
        definitions:
          "---Moves time on.\n---@param seconds number\nfunction clock.advance(seconds) end\n")
    }
    #expect(lines("clock.advance") == ["clock.advance(seconds: number)  Moves time on."])
  }
}
