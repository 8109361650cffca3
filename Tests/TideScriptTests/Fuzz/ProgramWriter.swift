import Fuzzing

/// Writes Lua programs that use the whole API, with values from the nasty ends of each type.
///
/// A program is a line a statement, each protected by itself, so that any of them can be left out.
/// What a statement makes is kept by its class, and later ones use it.
struct ProgramWriter {
  private let grammar: APIGrammar
  private var source: ByteSource
  private var depth = 0

  init(_ grammar: APIGrammar, _ bytes: [UInt8]) {
    self.grammar = grammar
    source = ByteSource(bytes)
  }

  /// What every program begins with; it is no part of what is kept of a finding. What
  /// waits does so in a task of its own, for ever it may be.
  static let prelude = """
    local V, C, N = {}, {}, 0
    local function keep(class, ...)
      for i = 1, select("#", ...) do
        local v = select(i, ...)
        if v ~= nil and N < 400 then
          N = N + 1
          V[N] = v
          C[class] = C[class] or {}
          table.insert(C[class], v)
        end
      end
      return ...
    end
    local function at(i) return V[i % math.max(N, 1) + 1] end
    local function pick(class, i)
      local list = C[class]
      if list then return list[i % #list + 1] end
      return at(i)
    end
    local function try(fn)
      spawn(function()
        local ok, err = pcall(fn)
        if not ok then keep("error", err) end
      end)
    end
    local cyclic = {}
    cyclic.self, cyclic[1] = cyclic, cyclic
    local hostile = setmetatable({}, {
      __index = function(_, k) return k end, __len = function() return math.mininteger end,
      __tostring = function() return "\\xff\\0" end, __eq = function() return true end,
      __lt = function() error {} end, __call = function(_, ...) return ... end,
      __pairs = function() return function() return 1, 1 end end,
      __concat = function() return 0 / 0 end, __name = "\\xff", __close = function() error "closing" end,
    })
    keep("any", cyclic, hostile)
    keep("tidelock.DataObject", object { name = "fig", items = { 1, 2 }, n = 0, at = property {} })
    keep("tidelock.List", list { 1, 2, 3 })

    """

  /// So many statements.
  mutating func program(_ count: Int) -> [String] {
    var lines: [String] = []
    for _ in 0..<count {
      depth = 0
      lines.append("try(function() \(statement()) end)")
    }
    return lines
  }

  // MARK: Statements

  private mutating func statement() -> String {
    depth += 1
    defer { depth -= 1 }
    switch source.number(below: 16) {
    case 0, 1, 2: return call(source.pick(grammar.functions))
    case 3, 4: return methodCall()
    case 5: return "keep(\"any\", \(object()).\(fieldName()))"
    case 6, 7: return write()
    case 8, 9: return view()
    case 10:
      let (a, b) = (value("any"), value("any"))
      let operation = source.pick([
        "==", "<", "<=", "..", "+", "-", "*", "/", "//", "%", "^", "&", "|", "<<", "and", "or",
      ])
      return "keep(\"any\", (\(a)) \(operation) (\(b)))"
    case 11:
      return
        "local n = 0 for k, v in \(source.pick(["pairs", "ipairs", "properties"]))(\(object())) do "
        + "n = n + 1 keep(\"any\", k, v) if n > 9 then break end end"
    case 12:
      let name = source.pick(["insert", "remove", "sort", "concat", "move", "unpack", "pack"])
      return "keep(\"any\", table.\(name)(pick(\"tidelock.List\", \(index())), "
        + "\(value("any")), \(arguments(3)) nil))"
    case 13:
      return depth > 2
        ? "tostring(\(value("any")))"
        : "keep(\"any\", coroutine.wrap(function() \(statement()) end)())"
    case 14:
      let name = source.pick(["m", "n", "fruit"])
      if source.flag() {
        return "keep(\"tidelock.DataObject\", model \"\(name)\" { name = \(value("any")), "
          + "n = \(value("number")), items = \(value("table")), f = computed(\(function())) })"
      }
      return "local K = class \"\(name)\" { n = property { default = \(value("any")), "
        + "validate = \(function()) }, init = \(function()), get = \(function()) } "
        + "keep(\"any\", K) keep(\"tidelock.DataObject\", K { n = \(value("any")) })"
    default:
      return "keep(\"any\", (\(value("any")))[\(value("any"))], #(\(value("any"))), "
        + "tostring(\(value("any"))), dump(\(value("any"))))"
    }
  }

  private mutating func call(_ function: APIGrammar.Function) -> String {
    let result = function.result.flatMap { grammar.className(of: $0) } ?? "any"
    return "keep(\"\(result)\", \(function.name)(\(arguments(of: function))))"
  }

  private mutating func methodCall() -> String {
    let name = source.pick(grammar.classNames)
    let methods = grammar.methods(of: name)
    guard !methods.isEmpty else { return write() }
    let method = source.pick(methods)
    let result = method.result.flatMap { grammar.className(of: $0) } ?? "any"
    return "keep(\"\(result)\", \(picked(name)):\(method.name)(\(arguments(of: method))))"
  }

  private mutating func write() -> String {
    let name = source.pick(grammar.classNames)
    let fields = grammar.fields(of: name)
    guard !fields.isEmpty else { return "\(object()).\(fieldName()) = \(value("any"))" }
    let field = fields[number(below: fields.count)]
    return "\(picked(name)).\(field.name) = \(value(field.type))"
  }

  private mutating func view() -> String {
    let name = source.pick(grammar.views)
    let fields = grammar.fields(of: "tidelock.view.\(name).Fields")
    var made = "view.\(name) { id = \(value("string")), "
    for _ in 0..<source.number(below: 5) where !fields.isEmpty {
      let field = fields[number(below: fields.count)]
      made += "\(field.name) = \(value(field.type)), "
    }
    for _ in 0..<source.number(below: 3) { made += "pick(\"tidelock.view.view\", \(index())), " }
    made = "keep(\"tidelock.view.\(name)\", keep(\"tidelock.view.view\", \(made) }))"
    return source.flag() ? "show(\(made))" : made
  }

  // MARK: Values

  private mutating func arguments(of function: APIGrammar.Function) -> String {
    // Sometimes too few, or too many.
    let more = source.pick([0, 0, 0, 0, -1, 1])
    let count = max(0, function.parameters.count + more)
    return (0..<count).map { index in
      value(index < function.parameters.count ? function.parameters[index] : "any")
    }.joined(separator: ", ")
  }

  /// Up to so many, a comma after each.
  private mutating func arguments(_ most: Int) -> String {
    (0..<source.number(below: most + 1)).map { _ in value("any") + ", " }.joined()
  }

  private static let nasty = [
    "math.mininteger", "math.maxinteger", "0/0", "1/0", "-1/0", "-0.0", "0", "-1", "1", "2^53",
    "2^63",
    "1e308", "-1e308", "1 << 31", "1 << 32", "0.1", "\"\"", "(\"x\"):rep(1 << 18)",
    "\"\\xff\\xfe\\0\"",
    "\"0x7fffffffffffffff\"", "\"\\u{1F468}\\u{200D}\\u{1F469}\\u{301}\"", "(\"[\"):rep(3000)",
    "nil",
    "nil", "true", "false", "{}", "{ {}, { {} } }", "{ [0] = 1, [math.mininteger] = 2 }", "cyclic",
    "hostile", "print", "coroutine.create(print)", "coroutine.running()", "null", "unchanged",
    "NoSelection", "MultipleValues", "NotApplicable", "_G", "tidelock", "models", "views", "view",
    "hot",
    "string", "errors()", "bindings()",
  ]

  private mutating func value(_ type: String) -> String {
    depth += 1
    defer { depth -= 1 }
    if depth > 6 || source.number(below: 4) == 0 { return source.pick(Self.nasty) }
    let cases = Self.parts(of: type, at: "|")
    if cases.count > 1 { return value(source.pick(cases)) }
    let plain = type.hasSuffix("?") ? String(type.dropLast()) : type
    if plain.hasPrefix("\"") { return plain }
    if plain.hasPrefix("{") {
      let fields = Self.parts(of: String(plain.dropFirst().dropLast()), at: ",").compactMap {
        part in
        part.firstIndex(of: ":").map { colon in
          (
            name: String(part[..<colon]).replacing("?", with: "").replacing(" ", with: ""),
            type: String(part[part.index(after: colon)...].drop { $0 == " " })
          )
        }
      }
      let named = fields.filter { $0.name.allSatisfy { $0.isLetter } }
      return named.isEmpty ? "{}" : record(named)
    }
    if plain.hasPrefix("fun") { return function() }
    if plain.hasSuffix("[]") {
      let element = String(plain.dropLast(2))
      return "{ "
        + (0..<source.number(below: 4)).map { _ in value(element) }.joined(separator: ", ") + " }"
    }
    switch plain {
    case "integer", "number":
      return source.pick([
        "0", "1", "2", "3", "-1", "0.5", "1e9", "math.mininteger", "math.maxinteger",
      ])
    case "boolean": return source.pick(["true", "false"])
    case "string", "tidelock.EventName": return text()
    case "any", "T": return source.flag() ? "at(\(index()))" : anything()
    default: break
    }
    if let alias = grammar.aliases[plain], alias != plain { return value(alias) }
    if let name = grammar.className(of: plain) {
      let fields = grammar.fields(of: name)
      let isRecord = name.hasSuffix("Options") || name.hasSuffix("Fields") || name.hasSuffix("Pair")
      return isRecord && !fields.isEmpty ? record(fields) : picked(name)
    }
    return record(
      ["name", "n", "items", "content", "sort", "filter", "fetch", "page"].map { ($0, "any") })
  }

  /// A type's parts at a sign, where that is in no brackets.
  private static func parts(of type: String, at sign: Character) -> [String] {
    var parts = [""]
    var depth = 0
    for character in type {
      if "([{<".contains(character) { depth += 1 }
      if ")]}>".contains(character) { depth -= 1 }
      if character == sign && depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  private mutating func record(_ fields: [(name: String, type: String)]) -> String {
    let chosen = (0..<source.number(below: 4)).map { _ -> String in
      let field = fields[number(below: fields.count)]
      return "\(field.name) = \(value(field.type))"
    }
    return "{ " + chosen.joined(separator: ", ") + " }"
  }

  private mutating func anything() -> String {
    switch source.number(below: 5) {
    case 0: text()
    case 1: function()
    case 2: "list { \(value("any")), \(value("any")) }"
    case 3: "object { name = \(value("any")), n = \(value("number")) }"
    default: source.pick(Self.nasty)
    }
  }

  private mutating func function() -> String {
    switch source.number(below: 14) {
    case 0: "function(...) return ... end"
    case 1: "function() error(\(value("any"))) end"
    case 2: "function(...) keep(\"any\", ...) return \(value("any")) end"
    case 3: "function() return \(value("any")), \(value("any")) end"
    case 4: "function(a, b) return a < b end"
    case 5 where depth < 5:
      "function(...) keep(\"any\", ...) try(function() \(statement()) end) return 1 end"
    case 6: "function() sleep(0.1) return 1 end"
    case 7: "function() coroutine.yield(1) end"
    case 8 where source.number(below: 8) == 0: "function() while true do end end"
    case 9: "function(a) return tostring(a) end"
    case 10: "function(self) return self.name end"
    case 11: "function(self, v) self.n = v return v end"
    case 12: "hostile"
    default: "function() end"
    }
  }

  private mutating func text() -> String {
    source.pick([
      "\"name\"", "\"n\"", "\"items\"", "\"at\"", "\"value\"", "\"text\"", "\"m\"", "\"fruit\"",
      "\"items.@count\"", "\"items[1].name\"", "\"selection.name\"", "\"dataObject.name\"",
      "\"name -> text\"", "\"fruit.name <> m.name\"", "\"n -> n | scale(2)\"",
      "\"@superview.text\"",
      "\"touchUpInside\"", "\"valueChanged\"", "\"\(fieldName())\"",
      grammar.events.isEmpty ? "\"tapped\"" : "\"\(source.pick(grammar.events))\"",
      "\"\"", "\"\\xff\\0\"", "(\"a.\"):rep(2000)", "(\"x\"):rep(1 << 16)",
    ])
  }

  private mutating func fieldName() -> String {
    let name = source.pick(grammar.classNames)
    let fields = grammar.fields(of: name)
    return fields.isEmpty ? "name" : fields[number(below: fields.count)].name
  }

  private mutating func object() -> String {
    source.flag() ? "at(\(index()))" : picked(source.pick(grammar.classNames))
  }

  private mutating func picked(_ name: String) -> String { "pick(\"\(name)\", \(index()))" }

  private mutating func index() -> Int { source.number(below: 256) }

  private mutating func number(below limit: Int) -> Int {
    (source.number(below: 256) << 8 | source.number(below: 256)) % limit
  }
}
