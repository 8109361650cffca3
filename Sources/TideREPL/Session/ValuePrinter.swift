import TideSystem
import TideBindings
import TideGraph
import TideLua
import TideScript
import TideViews

/// Prints values for people: on one line if they fit, else with one entry per line.
///
/// Objects show their properties, lists their length and first elements, and functions their
/// location. Cycles are marked, and long or deep values are truncated.
struct ValuePrinter {
  private let runtime: Runtime
  /// The width of a line in columns.
  var width = 80
  /// The maximum number of list elements or object fields shown.
  var limit = 20
  /// The maximum nesting depth.
  var depth = 4
  /// The API's sealed tables and their members.
  var library = LibraryNames()

  init(_ runtime: Runtime) { self.runtime = runtime }

  func text(of value: LuaValue) -> String { runtime.graph.untracked { trackedText(of: value) } }

  /// The text of a value, read with dependency tracking for an effect.
  func trackedText(of value: LuaValue) -> String {
    var path = Path()
    return node(of: value, 0, &path).text(width: width, indent: 0)
  }

  /// The containers around the current value.
  private struct Path {
    var objects: [ObjectIdentifier] = []
    var tables: [LuaTable] = []
    /// The remaining number of values: a few tables that contain each other could otherwise exhaust
    /// memory.
    var left = 2000
  }

  /// A value as a tree of texts.
  private indirect enum Node {
    case leaf(String)
    case group(String, [Entry], String)

    struct Entry {
      var name: String?
      var node: Node
    }

    func text(width: Int, indent: Int) -> String {
      switch self {
      case .leaf(let text): return text
      case .group(let start, let entries, let end):
        if entries.isEmpty { return "\(start){}\(end)" }
        let line = line
        if indent + CharacterWidth.of(line) <= width, !line.contains("\n") { return line }
        let space = String(repeating: " ", count: indent + 2)
        let lines = entries.map { entry in
          let name = entry.name.map { "\($0) = " } ?? ""
          return "\(space)\(name)\(entry.node.text(width: width, indent: indent + 2)),"
        }
        return "\(start){\n" + lines.joined(separator: "\n") + "\n"
          + String(repeating: " ", count: indent) + "}\(end)"
      }
    }

    private var line: String {
      switch self {
      case .leaf(let text): return text
      case .group(let start, let entries, let end):
        let parts = entries.map { ($0.name.map { "\($0) = " } ?? "") + $0.node.line }
        return parts.isEmpty
          ? "\(start){}\(end)" : "\(start){ \(parts.joined(separator: ", ")) }\(end)"
      }
    }
  }

  private func node(of value: LuaValue, _ level: Int, _ path: inout Path) -> Node {
    path.left -= 1
    switch value {
    case .string(let text): return .leaf(Self.quoted(text))
    case .bytes(let bytes): return .leaf(Self.quoted(bytes))
    case .function(let function): return .leaf(describe(function))
    // The shortest text that parses to the same number.
    case .number(let number): return .leaf(number.description)
    case .table(let table): return node(of: table, level, &path)
    case .object(let handle):
      guard let object = handle.dataObject else { return .leaf("an object that is gone") }
      return node(of: object, level, &path)
    default: return .leaf((try? runtime.lua.describe(value)) ?? value.preview)
    }
  }

  private func node(of table: LuaTable, _ level: Int, _ path: inout Path) -> Node {
    let (own, kind) = ownText(of: table)
    if let own { return .leaf(own) }
    if let names = library[table] { return node(ofLibrary: table, names, kind ?? "", level, &path) }
    if let finder = node(ofFinder: table, kind, level, &path) { return finder }
    let start = kind.map { $0 + " " } ?? ""
    if path.tables.contains(table) { return .leaf("\(start){ (cycle) }") }
    if level >= depth || path.left <= 0 { return .leaf("\(start){…}") }
    path.tables.append(table)
    defer { path.tables.removeLast() }
    var entries: [Node.Entry] = []
    let sequence = (try? table.rawCount) ?? 0
    for index in 0..<min(sequence, limit) {
      let value = (try? table.rawGet(.integer(index + 1))) ?? .nil
      entries.append(Node.Entry(name: nil, node: node(of: value, level + 1, &path)))
    }
    if sequence > limit { entries.append(Self.more(sequence - limit)) }
    let (fields, rest) = fields(of: table, behind: sequence)
    for field in fields {
      entries.append(Node.Entry(name: field.name, node: node(of: field.value, level + 1, &path)))
    }
    if rest > 0 { entries.append(Self.more(rest)) }
    return .group(start, entries, "")
  }

  /// The text from a table's `__tostring`; if there is none or it fails, nil and the table's
  /// `__name`.
  private func ownText(of table: LuaTable) -> (text: String?, kind: String?) {
    guard let text = try? runtime.lua.describe(.table(table)) else { return (nil, nil) }
    // Without `__tostring` the text is a kind and an address: table: 0xc1b008c1fc6212e2
    if let colon = text.firstRange(of: ": 0x"), text[colon.upperBound...].allSatisfy(\.isHexDigit) {
      let kind = text[..<colon.lowerBound]
      return (nil, kind == "table" ? nil : Self.shortened(String(kind)).escapingControls)
    }
    return (Self.shortened(text).escapingControls, nil)
  }

  /// A table of the API: all its names, with abbreviated values.
  private func node(
    ofLibrary table: LuaTable, _ names: [String], _ kind: String, _ level: Int, _ path: inout Path
  ) -> Node {
    let start = kind.isEmpty ? "" : kind + " "
    if level > 0 { return .leaf("\(start){…}") }
    let entries = names.filter { (try? table[.string($0)].isNil) == false }.map { name in
      let value = (try? table[.string(name)]) ?? .nil
      let isFunction = value.function != nil
      return Node.Entry(
        name: name, node: isFunction ? .leaf("function") : node(of: value, depth - 1, &path))
    }
    return .group(start, entries, "")
  }

  /// `models` and `views`, which resolve names dynamically.
  private func node(
    ofFinder table: LuaTable, _ kind: String?, _ level: Int, _ path: inout Path
  ) -> Node? {
    guard let kind, kind == "models" || kind == "views",
      (try? runtime.lua.globals.rawGet(.string(kind)))?.table == table
    else { return nil }
    if level > 0 { return .leaf("\(kind) {…}") }
    let names = kind == "models" ? runtime.models.names : runtime.viewIDs
    var entries = names.sorted().prefix(limit * 5).map { name in
      let found: DataObject? = kind == "models" ? runtime.models[name] : runtime.view(withID: name)
      let shown = found.map { node(of: $0, depth - 1, &path) } ?? Node.leaf("nil")
      return Node.Entry(name: Self.name(of: name), node: shown)
    }
    if names.count > entries.count { entries.append(Self.more(names.count - entries.count)) }
    return .group(kind + " ", entries, "")
  }

  /// The fields to show, sorted by name, and the number of the others.
  ///
  /// For a very large table, only the entries found first are considered.
  private func fields(
    of table: LuaTable, behind sequence: Int
  ) -> (shown: [(name: String, value: LuaValue)], rest: Int) {
    var fields: [(name: String, value: LuaValue)] = []
    var (count, left) = (0, Self.mostEntries)
    try? table.forEach { key, value in
      left -= 1
      if let index = key.integer, index >= 1, index <= sequence { return left > 0 }
      count += 1
      fields.append((Self.name(of: key), value))
      if fields.count >= 16 * limit + 64 { keepFirst(of: &fields) }
      return left > 0
    }
    keepFirst(of: &fields)
    return (fields, count - fields.count)
  }

  private func keepFirst(of fields: inout [(name: String, value: LuaValue)]) {
    fields.sort { $0.name < $1.name }
    fields.removeLast(max(0, fields.count - limit))
  }

  private static let mostEntries = 1_000_000

  private func node(of object: DataObject, _ level: Int, _ path: inout Path) -> Node {
    if path.objects.contains(ObjectIdentifier(object)) { return .leaf("\(object.label) (cycle)") }
    if level >= depth || path.left <= 0 { return .leaf("\(object.label) {…}") }
    path.objects.append(ObjectIdentifier(object))
    defer { path.objects.removeLast() }
    if let list = object as? any ListObject { return node(of: list, level, &path) }
    if let dictionary = object as? DictionaryObject {
      let entries = dictionary.firstKeys(limit).map { key in
        Node.Entry(
          name: Self.name(of: key.luaValue), node: node(of: dictionary[key], level + 1, &path))
      }
      let rest = dictionary.count - entries.count
      return .group("dict ", entries + (rest > 0 ? [Self.more(rest)] : []), "")
    }
    return node(ofProperties: object, level, &path)
  }

  private func node(of list: any ListObject, _ level: Int, _ path: inout Path) -> Node {
    let count = list.trackedCount
    var entries = (0..<min(count, limit)).map { index in
      Node.Entry(
        name: nil, node: node(of: list.trackedElement(at: index) ?? .null, level + 1, &path))
    }
    if count > limit { entries.append(Self.more(count - limit)) }
    return .group("list(\(count)) ", entries, "")
  }

  private func node(
    ofProperties object: DataObject, _ level: Int, _ path: inout Path
  ) -> Node {
    var entries: [Node.Entry] = []
    for property in object.shape.properties.sorted(by: { $0.name < $1.name }) {
      // Only properties of a view that differ from its class's defaults.
      if object is View, !property.isShown(of: object) { continue }
      let value = object[property.name]
      entries.append(
        Node.Entry(name: Self.name(of: property.name), node: node(of: value, level + 1, &path)))
    }
    let rest = entries.count - limit
    if rest > 0 { entries = Array(entries.prefix(limit)) + [Self.more(rest)] }
    return .group("\(object.label) ", entries, "")
  }

  private func node(of value: Value, _ level: Int, _ path: inout Path) -> Node {
    guard let value = try? runtime.luaValue(value) else { return .leaf("?") }
    return node(of: value, level, &path)
  }

  private static func more(_ count: Int) -> Node.Entry {
    Node.Entry(name: nil, node: .leaf("… \(count) more"))
  }

  private static func name(of key: LuaValue) -> String {
    if case .bytes(let bytes) = key { return "[\(quoted(bytes))]" }
    guard case .string(let text) = key else { return "[\(key.preview)]".escapingControls }
    return name(of: text)
  }

  /// The key in Lua's syntax for tables: `name`, or `["two words"]`.
  private static func name(of text: String) -> String {
    LuaState.isName(text) ? text : "[\(quoted(text))]"
  }

  /// A string in Lua's syntax, truncated if it is very long. Control characters are escaped here,
  /// not only on output, so that the width counts the printed characters.
  private static func quoted(_ text: String) -> String {
    TransformCall.quoted(shortened(text)).escapingControls
  }

  /// A string that is not UTF-8, in Lua's syntax: `"\xff\xfe"`.
  private static func quoted(_ bytes: [UInt8]) -> String {
    var (text, plain) = ("", "")
    var offset = 0
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.prefix(mostShown).makeIterator()
    func takePlain() {
      text += TransformCall.quoted(plain).dropFirst().dropLast()
      plain = ""
    }
    reading: while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar):
        plain.unicodeScalars.append(Unicode.UTF8.decode(scalar))
        offset += scalar.count
      case .error(let length):
        takePlain()
        for byte in bytes[offset..<offset + length] {
          text += (byte < 0x10 ? "\\x0" : "\\x") + String(byte, radix: 16)
        }
        offset += length
      case .emptyInput: break reading
      }
    }
    takePlain()
    return "\"\(text.escapingControls)\(bytes.count > mostShown ? "…" : "")\""
  }

  private static let mostShown = 2000

  private static func shortened(_ text: String) -> String {
    // Avoids counting the characters of a very long text.
    let end = text.index(text.startIndex, offsetBy: mostShown, limitedBy: text.endIndex)
    guard let end, end < text.endIndex else { return text }
    return text[..<end] + "…"
  }

  private func describe(_ function: LuaFunction) -> String {
    guard let location = function.location else { return "a function" }
    return "function (\(location.chunk):\(location.line))"
  }
}

extension PropertyDescription {
  fileprivate func isShown(of view: DataObject) -> Bool {
    let hidden = ["superview", "subviews", "window", "class"]
    if hidden.contains(name) || derive != nil { return false }
    let value = view[name]
    return value != .null && value != initial.value
  }
}
