/// The types of the API, from the catalogue: the parameters and results of functions, and the
/// members of those results.
///
/// ```swift
/// APITypes.shared.functions["observe"]?.first?.parameters[1].name     // path
/// APITypes.shared.members(of: "Event")                                // name, sender, key, …
/// ```
///
/// They are parsed from the definitions for editors. Classes are listed without the prefix
/// `tidelock.`.
package final class APITypes: Sendable {
  package struct Parameter: Sendable {
    package let name: String
    package let type: String
    package let isOptional: Bool
  }

  /// One way to call a function.
  package struct Signature: Sendable {
    package fileprivate(set) var parameters: [Parameter] = []
    /// Whether `...` follows them.
    package fileprivate(set) var takesMore = false
    /// The type of what stands for `...`, if it is stated.
    package fileprivate(set) var rest: String?
    /// The type of the first result.
    package fileprivate(set) var result: String?
    /// What the function does.
    package fileprivate(set) var summary = ""

    /// The same signature, for a function that ignores further arguments.
    package var takingAll: Signature {
      var signature = self
      signature.takesMore = true
      return signature
    }

    /// The least number of arguments.
    package var least: Int { (parameters.lastIndex { !$0.isOptional } ?? -1) + 1 }

    /// The parameters with their types, for display: `options?: ObserveOptions`.
    package var parameterTexts: [String] {
      let texts = parameters.map { parameter in
        let type =
          parameter.type == "any" ? "" : ": \(parameter.type.replacing("tidelock.", with: ""))"
        return parameter.name + (parameter.isOptional && !type.hasSuffix("?") ? "?" : "") + type
      }
      return takesMore ? texts + ["..."] : texts
    }

    /// The signature for display: `List:indexOf(value): integer?`.
    package func text(named name: String) -> String {
      let result = result.map { ": \($0.replacing("tidelock.", with: ""))" } ?? ""
      return "\(name)(\(parameterTexts.joined(separator: ", ")))\(result)"
    }
  }

  package struct Class: Sendable {
    package fileprivate(set) var parent: String?
    /// A description of its values.
    package fileprivate(set) var summary = ""
    /// The types of its members, by name.
    package fileprivate(set) var fields: [String: String] = [:]
    /// Descriptions of the members, by name.
    package fileprivate(set) var summaries: [String: String] = [:]
    package fileprivate(set) var methods: [String: Signature] = [:]
    /// What is called with a dot.
    package fileprivate(set) var functions: [String: Signature] = [:]
    /// The type of its elements.
    package fileprivate(set) var element: String?
    package fileprivate(set) var members: Set<String> = []
  }

  package let functions: [String: [Signature]]
  package let classes: [String: Class]
  /// Descriptions of tables and other variables, by name.
  package let variables: [String: String]
  /// The names of all classes' members.
  package let memberNames: Set<String>
  private let aliases: [String: String]
  /// The types that describe the meaning of texts.
  package let texts: TextTypes

  /// Adds further definitions to those of the API.
  package convenience init(_ text: String, beside other: APITypes? = nil) {
    let read = APITypes(reading: text, other)
    self.init(read, texts: TextTypes(read))
  }

  private init(reading text: String, _ other: APITypes?) {
    var reader = Reader()
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) { reader.take(Substring(line)) }
    reader.finishClass()
    functions = reader.functions.merging(other?.functions ?? [:]) { first, _ in first }
    variables = reader.summaries.merging(other?.variables ?? [:]) { first, _ in first }
    let classes = reader.classes.merging(other?.classes ?? [:]) { first, _ in first }
    self.classes = Dictionary(
      uniqueKeysWithValues: classes.keys.map { ($0, Self.whole($0, classes)) })
    memberNames = Set(self.classes.values.flatMap(\.members))
    aliases = reader.aliases.merging(other?.aliases ?? [:]) { first, _ in first }
    texts = TextTypes()
  }

  private init(_ other: APITypes, texts: TextTypes) {
    (functions, classes, aliases) = (other.functions, other.classes, other.aliases)
    (variables, memberNames) = (other.variables, other.memberNames)
    self.texts = texts
  }

  // MARK: Classes

  /// The class that a type names: `Handle` for `tidelock.Handle?`.
  package func className(of type: String?) -> String? {
    guard var name = type, name.hasPrefix("tidelock.") else { return nil }
    name.removeFirst("tidelock.".count)
    if name.hasSuffix("?") { name.removeLast() }
    if let generic = name.firstIndex(of: "<"), name.hasSuffix(">") {
      name = String(name[..<generic])
    }
    return classes[name] == nil ? nil : name
  }

  /// A class with its inherited members.
  private static func whole(_ name: String, _ classes: [String: Class]) -> Class {
    var whole = classes[name] ?? Class()
    var next = whole.parent
    for _ in 0..<8 {
      guard let name = next, let parent = classes[name] else { break }
      whole.fields.merge(parent.fields) { own, _ in own }
      whole.summaries.merge(parent.summaries) { own, _ in own }
      whole.methods.merge(parent.methods) { own, _ in own }
      whole.functions.merge(parent.functions) { own, _ in own }
      whole.element = whole.element ?? parent.element
      next = parent.parent
    }
    whole.members = Set(whole.fields.keys).union(whole.methods.keys).union(whole.functions.keys)
    return whole
  }

  package func methods(of name: String) -> [String: Signature] { classes[name]?.methods ?? [:] }

  /// The functions of a class, which are called with a dot.
  package func functions(of name: String) -> [String: Signature] {
    classes[name]?.functions ?? [:]
  }

  /// The types of a class's members.
  package func fields(of name: String) -> [String: String] { classes[name]?.fields ?? [:] }

  /// Whether a class is a table of options, which has fields and no methods.
  package func isOptions(_ name: String) -> Bool {
    guard let known = classes[name] else { return false }
    return known.methods.isEmpty && known.functions.isEmpty && !known.fields.isEmpty
      && known.parent != "DataObject"
  }

  /// The class of options that a table of a type is; nil if it may be another table.
  package func optionsName(in type: String) -> String? {
    var found: String?
    for part in alternatives(of: type) {
      let name = className(of: String(part))
      if let name, isOptions(name) {
        if found != nil { return nil }
        found = name
      } else if name == "DataObject" || name == "List" || part == "any" || part.hasSuffix("]")
        || part.hasPrefix("{") || part.hasPrefix("table")
      {
        return nil
      }
    }
    return found
  }

  /// The names of a class's members.
  package func members(of name: String) -> Set<String> {
    classes[name]?.members ?? []
  }

  // MARK: Types

  /// The alternatives of a type, with type aliases resolved.
  ///
  /// - Parameter keepsRoles: whether to keep a type that describes the meaning of a text; see
  ///   `NameRole`.
  package func alternatives(
    of type: String, _ budget: Int = 4, keepsRoles: Bool = false
  ) -> [Substring] {
    Self.parts(of: type, at: UInt8(ascii: "|")).flatMap { part -> [Substring] in
      var part = part
      if part.hasSuffix("?") { part = part.dropLast() }
      if part.hasPrefix("("), part.hasSuffix(")") {
        return alternatives(
          of: String(part.dropFirst().dropLast()), budget, keepsRoles: keepsRoles)
      }
      guard part.hasPrefix("tidelock."), budget > 0,
        case let name = String(part.dropFirst("tidelock.".count)),
        !keepsRoles || NameRole(rawValue: name) == nil, let meant = aliases[name]
      else { return [part] }
      return alternatives(of: meant, budget - 1, keepsRoles: keepsRoles)
    }
  }

  /// The types of the parameters of a function that a type describes: `fun(note: tidelock.Note)`.
  package func parameterTypes(of type: String) -> [String?] {
    guard let function = alternatives(of: type).first(where: { $0.hasPrefix("fun(") }) else {
      return []
    }
    var depth = 1
    let inner = function.dropFirst(4).prefix { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return depth > 0
    }
    return Self.parts(of: String(inner), at: UInt8(ascii: ",")).map { part in
      part.firstIndex(of: ":").map { colon in
        String(part[part.index(after: colon)...].drop { $0 == " " })
      }
    }
  }

  /// Splits a type outside brackets and quotes. The result of a function belongs to the function's
  /// type.
  package static func parts(of type: String, at separator: UInt8) -> [Substring] {
    var parts: [Substring] = []
    let bytes = type.utf8
    var start = bytes.startIndex
    var depth = 0
    var isText = false
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case separator where depth == 0 && !type[start...].hasPrefix("fun("):
        parts.append(type[start..<index])
        start = bytes.index(after: index)
      default: break
      }
    }
    return parts + [type[start...]]
  }
}

// MARK: Reading

extension APITypes {
  /// Parses definitions line by line.
  private struct Reader {
    var functions: [String: [Signature]] = [:]
    var classes: [String: Class] = [:]
    var aliases: [String: String] = [:]
    /// The annotations above the next function.
    private var parameters: [Parameter] = []
    private var result: String?
    private var overloads: [Signature] = []
    private var comment = ""
    /// The class whose fields are being read, and the variables that its methods are declared on.
    private var open: (name: String, made: Class)?
    private var variables: [String: String] = [:]
    /// Descriptions of variables that are not functions.
    var summaries: [String: String] = [:]
    private var alias: String?

    mutating func take(_ line: Substring) {
      if let rest = line.after("---@param ") { return take(parameter: rest) }
      if let rest = line.after("---@field ") { return take(field: rest) }
      if let rest = line.after("---@return ") {
        if result == nil { result = String(Self.type(in: rest)) }
        return
      }
      if let rest = line.after("---@overload fun(") {
        return overloads.append(Self.signature(rest))
      }
      if let rest = line.after("---@class tidelock.") { return take(class: rest) }
      if let rest = line.after("---@alias tidelock.") { return take(alias: rest) }
      if let rest = line.after("---| ") {
        if let alias { aliases[alias] = aliases[alias].map { "\($0)|\(rest)" } ?? String(rest) }
        return
      }
      if let rest = line.after("function ") { return take(function: rest) }
      if let rest = line.after("local ") {
        let name = String(rest.prefix { $0 != " " })
        if let open { variables[name] = open.name }
        return
      }
      // Comments may separate annotations.
      if let rest = line.after("---") {
        if !rest.hasPrefix("@") { comment += (comment.isEmpty ? "" : " ") + rest }
        return
      }
      if let name = line.before(" = {}") {
        if !overloads.isEmpty { functions[String(name), default: []] += overloads }
        let summary = comment.isEmpty ? open?.made.summary ?? "" : comment
        if !summary.isEmpty { summaries[String(name)] = summary }
      }
      forget()
    }

    private mutating func forget() {
      (parameters, result, overloads, comment) = ([], nil, [], "")
    }

    mutating func finishClass() {
      if let open { classes[open.name] = open.made }
      open = nil
    }

    private mutating func take(class rest: Substring) {
      finishClass()
      let name = rest.prefix { !" <:".contains($0) }
      var made = Class()
      made.summary = comment
      comment = ""
      if let parent = rest.after("\(name) : tidelock.") ?? rest.after("\(name)<T> : tidelock.") {
        made.parent = String(parent.prefix { !"<{ ".contains($0) })
      }
      open = (String(name), made)
    }

    private mutating func take(alias rest: Substring) {
      let name = rest.prefix { $0 != " " }
      alias = String(name)
      if let type = rest.after("\(name) ") { aliases[String(name)] = String(type) }
    }

    private mutating func take(parameter rest: Substring) {
      let name = rest.prefix { $0 != " " }
      guard name != "self" else { return }
      let type = Self.type(in: rest.dropFirst(name.count + 1))
      parameters.append(Self.parameter(name, type))
    }

    private static func parameter(_ name: Substring, _ type: Substring) -> Parameter {
      Parameter(
        name: String(name.hasSuffix("?") ? name.dropLast() : name), type: String(type),
        isOptional: name.hasSuffix("?") || type == "any"
          || type.hasSuffix("?") && !type.contains("fun("))
    }

    private mutating func take(field rest: Substring) {
      let name = rest.prefix { $0 != " " }
      // Elements have no names.
      if name.hasPrefix("[") {
        open?.made.element = String(Self.type(in: rest.dropFirst(name.count + 1)))
        return
      }
      let isOptional = name.hasSuffix("?")
      let plain = String(isOptional ? name.dropLast() : name)
      let type = Self.type(in: rest.dropFirst(name.count + 1))
      open?.made.fields[plain] = String(type)
      let summary = rest[type.endIndex...].drop { $0 == " " }
      if !summary.isEmpty { open?.made.summaries[plain] = String(summary) }
    }

    /// `List:append(...) end`
    private mutating func take(function rest: Substring) {
      defer { forget() }
      let name = rest.prefix { $0 != "(" }
      let names = rest.dropFirst(name.count + 1).prefix { $0 != ")" }
        .split(separator: ",").map { $0.drop { $0 == " " } }
      var signature = Signature(result: result, summary: comment)
      signature.takesMore = names.last == "..."
      signature.rest = parameters.first { $0.name == "..." }?.type
      signature.parameters = names.filter { $0 != "..." }.map { name in
        parameters.first { $0.name == name }
          ?? Parameter(name: String(name), type: "any", isOptional: true)
      }
      guard let sign = name.firstIndex(where: { $0 == ":" || $0 == "." }),
        let owner = variables[String(name[..<sign])]
      else {
        if !name.contains(":") { functions[String(name)] = [signature] + overloads }
        return
      }
      finishClass()
      let member = String(name[name.index(after: sign)...])
      if name[sign] == ":" {
        classes[owner]?.methods[member] = signature
      } else {
        classes[owner]?.functions[member] = signature
      }
    }

    /// Reads an overload after its `fun(`.
    private static func signature(_ rest: Substring) -> Signature {
      var signature = Signature()
      var depth = 1
      let inner = rest.prefix { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth > 0
      }
      for part in APITypes.parts(of: String(inner), at: UInt8(ascii: ",")) {
        let text = part.drop { $0 == " " }
        if text.hasPrefix("...") {
          signature.takesMore = true
          continue
        }
        let name = text.prefix { $0 != ":" }
        if name.isEmpty { continue }
        let type = text.dropFirst(name.count + 1).drop { $0 == " " }
        signature.parameters.append(parameter(name, type))
      }
      if let result = rest.dropFirst(inner.count).after("): ") { signature.result = String(result) }
      return signature
    }

    /// The type at the beginning of a text, without the comment that may follow it.
    private static func type(in text: Substring) -> Substring {
      var depth = 0
      var before: Character = " "
      let type = text.prefix { character in
        defer { before = character }
        if "(<{".contains(character) { depth += 1 }
        if ")>}".contains(character) { depth -= 1 }
        return character != " " || depth > 0 || ":,|".contains(before)
      }
      return type
    }
  }
}

extension Substring {
  /// The text after a prefix; nil if it begins differently.
  fileprivate func after(_ beginning: String) -> Substring? {
    hasPrefix(beginning) ? dropFirst(beginning.count) : nil
  }

  fileprivate func before(_ end: String) -> Substring? {
    hasSuffix(end) ? dropLast(end.count) : nil
  }
}
