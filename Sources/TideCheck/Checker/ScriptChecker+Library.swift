import TideBindings
import TideScript

// Calls of Lua's library: the number of arguments, and the values for formats.
extension ScriptChecker {
  /// `string.rep(text, 3)`, `tostring(3)`
  func check(libraryCall callee: LuaExpression, _ arguments: [LuaExpression]) {
    guard mentions == nil, let path = inference.path(of: callee),
      let function = LuaLibrary.functions[path],
      !app.makesGlobals, isOfLibrary(path)
    else { return }
    check(arguments, of: function, isMethod: false, at: callee.range.lowerBound)
    check(kindsOf: arguments, for: function.parameters ?? [], of: path)
    if path.hasPrefix("string.") {
      check(patternOf: String(path.dropFirst("string.".count)), Array(arguments.dropFirst()))
    }
    switch (path, arguments.first) {
    case ("os.date", let format?): check(dateFormat: format)
    case ("os.time", let moment?): check(timeOf: moment)
    case ("string.format", let format?):
      check(format: format, Array(arguments.dropFirst()), at: callee.range.lowerBound)
    case ("table.insert", let list?):
      check(rows: Array(arguments.dropFirst()), putInto: list)
      check(edit: "insert", of: list)
      check(object: list, insteadOfListIn: path)
      if arguments.count > 2 {
        check(index: arguments[1], inCallOf: path, arguments)
        check(insertedAt: arguments[1], list)
      }
    case ("table.sort", let list?):
      if arguments.count > 1 {
        check(comparator: arguments[1], for: path)
      } else {
        check(plainElementsOf: list, for: path)
      }
    case ("io.read", let format?): check(formatOfReading: format)
    case ("table.concat", let list?): check(plainElementsOf: list, for: path)
    case ("ipairs", let table?): check(elementsOf: table)
    case ("setmetatable", _?):
      if arguments.count > 1 { check(metatable: arguments[1]) }
    case ("table.remove", let list?):
      check(edit: "remove", of: list)
      check(object: list, insteadOfListIn: path)
      if arguments.count > 1 { check(index: arguments[1], inCallOf: path, arguments) }
    default: break
    }
  }

  /// Reports `io.read(path)`, which reads no file.
  private func check(formatOfReading format: LuaExpression) {
    let name: String
    switch format.kind {
    case .name(let variable, _?): name = variable.lowercased()
    case .string(let token) where token.text.contains("."): name = "path"
    default: return
    }
    guard name.contains("path") || name.contains("file") else { return }
    report(
      .libraryArguments,
      "io.read reads standard input and takes a format; write file.read(\(text(of: format)))",
      at: format.range.lowerBound, .warning)
  }

  /// Reports `ipairs { a = 1 }`.
  private func check(elementsOf table: LuaExpression) {
    if dict(table) != nil {
      return report(
        .libraryArguments,
        "ipairs visits the elements 1, 2, …, and a dict has only keys that are texts; write pairs",
        at: table.range.lowerBound, .warning)
    }
    guard let fields = table.fields, !fields.isEmpty, fields.allSatisfy({ $0.name != nil }) else {
      return
    }
    report(
      .libraryArguments,
      "ipairs visits the elements 1, 2, …, and this table has only named fields; write pairs",
      at: table.range.lowerBound, .warning)
  }

  private static let metamethods = [
    "__add", "__band", "__bnot", "__bor", "__bxor", "__call", "__close", "__concat", "__div",
    "__eq",
    "__idiv", "__index", "__le", "__len", "__lt", "__metatable", "__mod", "__mode", "__mul",
    "__name", "__newindex", "__pairs", "__pow", "__shl", "__shr", "__sub", "__tostring", "__unm",
  ]

  /// Reports `setmetatable(t, { __indx = … })`.
  private func check(metatable: LuaExpression) {
    for case let name? in (metatable.fields ?? []).map(\.name)
    where name.text.hasPrefix("__") && !Self.metamethods.contains(name.text) {
      let hint = hint(for: name.text, in: Self.metamethods)
      if hint.isEmpty { continue }
      report(
        .unknownMember, "a metatable has no \"\(name.text)\"\(hint)", at: name.start, .warning)
    }
  }

  /// `text:rep(3)`
  func check(
    stringMethod name: String, at offset: Int, of base: LuaExpression, _ arguments: [LuaExpression]
  ) {
    guard mentions == nil, let function = LuaLibrary.functions["string.\(name)"],
      isOfLibrary(function.name)
    else {
      return
    }
    check(arguments, of: function, isMethod: true, at: offset)
    check(
      kindsOf: arguments, for: Array((function.parameters ?? []).dropFirst()), of: function.name)
    check(patternOf: name, arguments)
    if name == "format" { check(format: base, arguments, at: offset) }
  }

  /// Whether a function is that of the library: the app may call it, and no script replaces it.
  func isOfLibrary(_ path: String) -> Bool {
    if names.refused[path] != nil { return false }
    guard let dot = path.firstIndex(of: ".") else { return !app.globals.contains(path) }
    let (table, name) = (String(path[..<dot]), String(path[path.index(after: dot)...]))
    return !app.globals.contains(table) && !app.adds(name, to: table)
  }

  private func check(
    _ arguments: [LuaExpression], of function: LuaLibrary.Entry, isMethod: Bool, at offset: Int
  ) {
    let given = isMethod ? 1 : 0
    let (least, most) = (function.least - given, function.most - given)
    if arguments.count > most, !function.takesMore, most >= 0 {
      let extra = arguments[most]
      if case .constant("nil") = extra.kind { return }
      report(
        .libraryArguments,
        "one too many: \(function.usage) takes \(Self.arguments(function.most))",
        at: extra.range.lowerBound, .warning)
    } else if arguments.count < least, arguments.last.map(givesSeveral) != true {
      let required = function.required
      let missing = required[min(arguments.count + given, required.count - 1)]
      report(
        .libraryArguments, "an argument is missing, \"\(missing)\": write \(function.usage)",
        at: offset, .warning)
    }
  }

  // MARK: Formats

  /// Compares the directives of a literal format with the values for them.
  private func check(format: LuaExpression, _ values: [LuaExpression], at offset: Int) {
    guard let (text, token) = writtenText(format) else { return }
    let directives = FormatDirectives(text)
    func location(of directive: FormatDirectives.Directive) -> Int {
      guard let start = token?.contentStart,
        script.source.bytes[start...].starts(with: text.utf8)
      else { return offset }
      return start + directive.offset
    }
    if let unknown = directives.unknown {
      report(
        .formatArguments,
        "string.format has no directive \"\(unknown.text)\"; write %% for a percent sign",
        at: location(of: unknown), .warning)
      return
    }
    for (directive, value) in zip(directives.values, values) {
      if directive.type == "number" || directive.type == "integer", let kind = kind(of: value),
        kind == .list || kind == .object
      {
        let advice = kind == .list ? "; write #\(self.text(of: value)) for its length" : ""
        report(
          .formatArguments, "\(directive.text) formats a number, not \(kind.rawValue)\(advice)",
          at: value.range.lowerBound, .warning)
        continue
      }
      guard let type = directive.type, let kind = LiteralKind(value),
        !kind.isAdmitted(by: type, in: names.types, converts: true)
      else { continue }
      report(
        .formatArguments,
        "\(directive.text) formats \(LiteralKind.wanted(type, in: names.types)), not \(kind.shown)",
        at: value.range.lowerBound, .warning)
    }
    let count = directives.values.count
    if values.count > count {
      let directive = count == 1 ? "one directive" : count == 0 ? "none" : "\(count) directives"
      report(
        .formatArguments, "the format has \(directive), so this value is ignored",
        at: values[count].range.lowerBound, .warning)
    } else if values.count < count, values.last.map(givesSeveral) != true {
      let missing = directives.values[values.count]
      report(
        .formatArguments, "the format's \(missing.text) has no value", at: location(of: missing),
        .warning)
    }
  }

  /// The text of a literal, or of a variable or member with a single literal value. The token is
  /// nil unless the literal is in the call itself.
  private func writtenText(_ expression: LuaExpression) -> (text: String, token: LuaToken?)? {
    switch expression.kind {
    case .string(let token): return (token.text, token)
    case .parenthesized(let inner): return writtenText(inner)
    case .operation(let parts, let signs):
      guard signs.allSatisfy({ $0 == ".." }) else { return nil }
      var text = ""
      for part in parts {
        guard let written = part.string else { return nil }
        text += written.text
      }
      return (text, nil)
    case .name(_, let local?):
      guard !local.isReassigned, let value = local.value?.string else { return nil }
      return (value.text, nil)
    case .member(let base, let name, _):
      guard case .table(let shape, _)? = inference.inferredType(of: base),
        !app.replacedNames.contains(name), let value = shape.value(of: name)?.string
      else { return nil }
      return (value.text, nil)
    default: return nil
    }
  }

  // MARK: Methods of unknown values

  /// Reports `text:gmach(…)` if nothing in the app has a method of that name, but strings have one
  /// with nearly that name.
  func check(unknownMethod name: String, at offset: Int) {
    guard mentions == nil, name.utf8.count > 3, !app.makesGlobals, index.isWhole,
      !app.requiresUnknown, let methods = names.members["string"], !methods.contains(name),
      !app.adds(name, to: "string"), !index.mayDeclare(name), !app.texts.contains(name),
      !names.methods.contains(name)
    else { return }
    var hint = Self.foreignMethods[name].map { "; did you mean \"\($0)\"?" }
    if let meant = NearestName.find(name, in: methods.sorted()),
      NearestName.isSlip(name, for: meant)
    {
      hint = self.hint(for: name, in: methods)
    }
    hint = hint ?? Self.missingMethods[name].map { "; write \($0)" }
    guard let hint else { return }
    report(
      .unknownMember, "nothing in the app has a method \"\(name)\"\(hint)", at: offset, .warning)
  }

  /// What to write in place of methods that the texts of other languages have.
  private static let missingMethods = [
    "split": "for part in text:gmatch(\"[^,]+\")", "trim": "text:match(\"^%s*(.-)%s*$\")",
    "strip": "text:match(\"^%s*(.-)%s*$\")",
    "startsWith": "text:sub(1, #start) == start", "startswith": "text:sub(1, #start) == start",
    "endsWith": "text:sub(-#ending) == ending", "endswith": "text:sub(-#ending) == ending",
    "toString": "tostring(value)", "toFixed": "(\"%.2f\"):format(number)",
    "padStart": "(\"%5s\"):format(text)", "padEnd": "(\"%-5s\"):format(text)",
    "capitalize": "text:sub(1, 1):upper() .. text:sub(2)",
  ]

  /// What other languages call methods that Lua's strings have.
  private static let foreignMethods = [
    "substr": "sub", "substring": "sub", "toUpperCase": "upper", "toLowerCase": "lower",
    "toUpper": "upper", "toLower": "lower", "uppercase": "upper", "lowercase": "lower",
    "upcase": "upper", "downcase": "lower", "length": "len", "replace": "gsub",
    "replaceAll": "gsub", "indexOf": "find", "includes": "find", "contains": "find",
    "charAt": "sub", "repeat": "rep",
  ]
}
