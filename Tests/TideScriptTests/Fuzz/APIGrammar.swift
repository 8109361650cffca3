@testable import TideCheck
@testable import TideScript

/// The names of the API and the types of what they take, read from the definitions that
/// `tidelock types` prints: what is new there joins by itself.
struct APIGrammar {
  struct Function {
    /// With its table, as `trigger.change`.
    var name: String
    var parameters: [String] = []
    var result: String?
    /// What the parameters are called, in the order of the call; `...` may be the last.
    var names: [String] = []
    /// Those that may be left out.
    var optional: Set<String> = []
    /// Other ways of calling it.
    var overloads: [[Parameter]] = []

    /// What it takes, in the order of the call; a parameter whose type is not told takes anything.
    var signature: [Parameter] {
      let told = Dictionary(zip(toldNames, parameters), uniquingKeysWith: { first, _ in first })
      return names.map {
        Parameter(name: $0, type: told[$0] ?? "any", isOptional: optional.contains($0))
      }
    }

    /// The names that types were told of.
    fileprivate var toldNames: [String] = []
  }

  struct Parameter {
    var name: String
    var type: String
    var isOptional = false
  }

  struct Class {
    var parents: [String] = []
    var fields: [(name: String, type: String)] = []
    var methods: [Function] = []
    /// Fields that have to be there.
    var required: Set<String> = []
    fileprivate var overloads: [[Parameter]] = []
  }

  private(set) var functions: [Function] = []
  /// Which ends what calls it.
  private(set) var exit: Function?
  private(set) var classes: [String: Class] = [:]
  /// Other names of types.
  private(set) var aliases: [String: String] = [:]
  /// The kinds of views.
  private(set) var views: [String] = []
  private(set) var events: [String] = []

  init() throws {
    let globals = Set(try TypeDefinitions.globalNames())
    var reader = Reader()
    for line in try TypeDefinitions().text.split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      reader.read(String(line), into: &self)
    }
    exit = functions.first { $0.name == "exit" }
    functions.removeAll { function in
      !globals.contains(String(function.name.prefix { $0 != "." })) || function.name == "exit"
    }
    views = classes.keys.compactMap { name in
      guard name.hasPrefix("tidelock.view."), name.hasSuffix(".Fields") else { return nil }
      return String(name.dropFirst("tidelock.view.".count).dropLast(".Fields".count))
    }.sorted()
    events = (aliases["tidelock.EventName"] ?? "").split(separator: "|").map {
      String($0).replacing("\"", with: "")
    }
  }

  /// The names of classes whose values are made, in a fixed order.
  var classNames: [String] {
    classes.keys.filter { !classes[$0, default: Class()].isEmpty }.sorted()
  }

  /// The fields of a class and those that it inherits.
  func fields(of name: String) -> [(name: String, type: String)] {
    guard let found = classes[name] else { return [] }
    return found.fields + found.parents.flatMap { $0 == name ? [] : fields(of: $0) }
  }

  func methods(of name: String) -> [Function] {
    guard let found = classes[name] else { return [] }
    return found.methods + found.parents.flatMap { $0 == name ? [] : methods(of: $0) }
  }

  /// A type's class, where it names one: without `?`, brackets and what is in angles.
  func className(of type: String) -> String? {
    let plain = String(type.prefix { $0 != "<" && $0 != "?" && $0 != "[" && $0 != " " })
    let name = aliases[plain] ?? plain
    return classes[name] == nil ? nil : name
  }

  /// The parameters of a type such as `fun(a: any, b?: integer): any`, from its parenthesis on.
  static func parameters(of type: String) -> [Parameter] {
    var depth = 0
    var parts = [""]
    for character in type.dropFirst() {
      if character == ")" && depth == 0 { break }
      if "([{<".contains(character) { depth += 1 }
      if ")]}>".contains(character) { depth -= 1 }
      if character == "," && depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.compactMap { part -> Parameter? in
      let trimmed = part.drop { $0 == " " }
      guard !trimmed.isEmpty else { return nil }
      guard let colon = trimmed.firstIndex(of: ":") else {
        return Parameter(name: String(trimmed), type: "any")
      }
      let name = trimmed[..<colon]
      return Parameter(
        name: String(name).replacing("?", with: ""),
        type: String(trimmed[trimmed.index(after: colon)...].drop { $0 == " " }),
        isOptional: name.hasSuffix("?"))
    }
  }

  // MARK: Reading

  private struct Reader {
    private var parameters: [String] = []
    private var told: [String] = []
    private var optional: Set<String> = []
    private var overloads: [[Parameter]] = []
    private var result: String?
    private var className: String?
    private var alias: String?
    /// The classes of the tables that methods are written in.
    private var tables: [String: String] = [:]

    mutating func read(_ line: String, into grammar: inout APIGrammar) {
      if let rest = line.after("---@param ") {
        let type = rest.drop { $0 != " " }.dropFirst()
        if !rest.hasPrefix("self ") {
          let name = rest.prefix { $0 != " " && $0 != "?" }
          if rest.dropFirst(name.count).hasPrefix("?") { optional.insert(String(name)) }
          told.append(String(name))
          parameters.append(String(type))
        }
      } else if let rest = line.after("---@overload fun") {
        overloads.append(APIGrammar.parameters(of: rest))
        if parameters.isEmpty, let className {
          grammar.classes[className]?.overloads.append(APIGrammar.parameters(of: rest))
        }
      } else if let rest = line.after("---@return ") {
        result = result ?? rest
      } else if let rest = line.after("---@class ") {
        let parts = rest.split(separator: " : ", maxSplits: 1).map(String.init)
        let name = String(parts[0].prefix { $0 != "<" && $0 != " " })
        let parents = parts.count > 1 ? parts[1].split(separator: ", ") : []
        grammar.classes[name] = Class(
          parents: parents.map { String($0.prefix { $0 != "<" && $0 != " " }) })
        (className, alias) = (name, nil)
      } else if let rest = line.after("---@field "), let className {
        let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, !parts[0].hasPrefix("[") else { return }
        if !parts[0].hasSuffix("?") { grammar.classes[className]?.required.insert(parts[0]) }
        grammar.classes[className]?.fields.append(
          (parts[0].replacing("?", with: ""), type(at: parts[1])))
      } else if let rest = line.after("---@alias ") {
        let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
        grammar.aliases[parts[0]] = parts.count > 1 ? parts[1] : ""
        (alias, className) = (parts[0], nil)
      } else if let rest = line.after("---| "), let alias {
        let known = grammar.aliases[alias] ?? ""
        grammar.aliases[alias] = known.isEmpty ? rest : known + "|" + rest
      } else if let rest = line.after("local "), rest.hasSuffix(" = {}"), let className {
        tables[String(rest.dropLast(5))] = className
      } else if line.hasSuffix(" = {}"), let className,
        let forms = grammar.classes[className]?.overloads, !forms.isEmpty
      {
        var function = Function(name: String(line.dropLast(5)))
        function.names = forms[0].map(\.name)
        function.toldNames = function.names
        function.parameters = forms[0].map(\.type)
        function.overloads = Array(forms.dropFirst())
        grammar.functions.append(function)
        (parameters, told, optional, overloads, result) = ([], [], [], [], nil)
      } else if let rest = line.after("function ") {
        let name = String(rest.prefix { $0 != "(" })
        var function = Function(name: name, parameters: parameters, result: result)
        function.names = rest.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
          .split(separator: ", ").map(String.init)
        (function.toldNames, function.optional) = (told, optional)
        function.overloads = overloads
        if let colon = name.firstIndex(of: ":") {
          var method = function
          method.name = String(name[name.index(after: colon)...])
          if let owner = tables[String(name[..<colon])] {
            grammar.classes[owner]?.methods.append(method)
          }
        } else {
          grammar.functions.append(function)
        }
        (parameters, told, optional, overloads, result) = ([], [], [], [], nil)
      } else if !line.hasPrefix("---") {
        if line.isEmpty { className = nil }
        (parameters, told, optional, overloads, result) = ([], [], [], [], nil)
      }
    }
  }

  /// The type with which a text begins; the rest describes what it is.
  private static func type(at text: String) -> String {
    var depth = 0
    var isQuoted = false
    var last: Character = " "
    let end = text.indices.first { index in
      defer { last = text[index] }
      switch text[index] {
      case "\"": isQuoted.toggle()
      case "(", "<", "{", "[": depth += 1
      case ")", ">", "}", "]": depth -= 1
      case " ": return depth == 0 && !isQuoted && !",:|".contains(last)
      default: break
      }
      return false
    }
    return String(text[..<(end ?? text.endIndex)])
  }
}

extension APIGrammar.Class {
  fileprivate var isEmpty: Bool { fields.isEmpty && methods.isEmpty }
}

extension String {
  fileprivate func after(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
