import TideSystem
import TideGraph

/// Writes settings as JSON, keys in order, so that equal values make equal text. What it reads is
/// recorded.
///
///     {
///       "$settings": 2,
///       "values": {
///         "theme": "dark",
///         "rows": [{
///           "$class": "Row", "$module": "rows",
///           "name": "a"
///         }]
///       }
///     }
///
/// What JSON has no form for is an object whose first key begins with `$`: objects of classes
/// (`$class`) and of none (`$object`, with the types of their properties), numbers that are not
/// finite (`$number`), text that is not UTF-8 (`$bytes`, in hexadecimal digits), markers
/// (`$marker`), and dicts with keys that are not UTF-8 (`$dict`, a list of pairs). A dict's own key
/// that begins with `$` has another `$` before it. Where classes give references, `$ref` is the
/// number of an object, `$model` the name of a model, `$property` the names of a model and its
/// property, and `$row` those and the identity of a shared row. Numbers with a fraction or an exponent are
/// floats. In lists and dicts `null` is the marker of that name; in objects it is nil.
struct SettingsWriter {
  private(set) var text = ""
  /// The first entry that could not be written, and how many; they are left out.
  private(set) var omitted: (first: String, count: Int)?
  /// The text has come to its end too early.
  private(set) var isTooLong = false
  /// The turn had no time or no memory for the rest.
  private(set) var failure: WorkError?
  private let classes: (any SettingsClasses)?
  private var depth = 0
  private var budget = TextBudget()

  /// The format that is written. That before had the values at the top, and no tags.
  static let format = 2
  /// How deep lists and dictionaries may nest.
  static let deepest = 100

  /// Text beyond this is not made, as nothing so long can be kept.
  private let longest: Int

  /// - Parameter longest: of what is longer than so many bytes no more is known than that.
  init(classes: (any SettingsClasses)? = nil, longest: Int = .max) {
    self.classes = classes
    self.longest = longest
  }

  /// Writes a whole file.
  mutating func write(settings: [(key: DictionaryKey, value: SettingsEntry)]) {
    text += "{\n  \"$settings\": \(Self.format),\n  \"values\": "
    depth = 1
    _ = writeDictionary(settings)
    depth = 0
    text += "\n}"
  }

  /// Writes one setting by itself, as it stands in a file; gives whether it is in the text at all.
  mutating func write(setting entry: SettingsEntry, of key: DictionaryKey) -> Bool {
    depth = 2
    guard let reason = write(entry, isOfObject: false) else { return true }
    leaveOut(key, from: 0, because: reason)
    return false
  }

  /// Writes a value by itself; gives why it cannot be written.
  mutating func write(value: Value) -> String? { write(value) }

  /// Writes an object by itself, also one that others refer to; gives why it cannot be written.
  mutating func write(whole object: DataObject) -> String? {
    if let reason = checkBudget() { return reason }
    depth += 1
    defer { depth -= 1 }
    return write(object)
  }

  /// The text of what stands in a file, alike for what is equal.
  static func text(of tree: JSONTree) -> String {
    var writer = SettingsWriter()
    writer.write(tree)
    return writer.text
  }

  // MARK: Values

  /// Gives why a value cannot be written; nil when it was.
  private mutating func write(_ value: Value, isOfObject: Bool = false) -> String? {
    if let reason = checkBudget() { return reason }
    switch value {
    case .null: text += "null"
    case .boolean(let flag): text += flag ? "true" : "false"
    case .integer(let integer): text += String(integer)
    case .number(let number):
      if number.isFinite { text += "\(number)" } else { tag("$number", "\(number)") }
    case .string(let string): put(string)
    case .bytes(let bytes): tag("$bytes", Self.digits(of: bytes))
    case .object(let marker as Marker):
      if marker === Marker.null, !isOfObject {
        text += "null"
      } else {
        tag("$marker", marker.description)
      }
    case .object(let object): return write(object)
    }
    return nil
  }

  private mutating func tag(_ name: String, _ content: String) {
    text += "{\"\(name)\": "
    put(content)
    text += "}"
  }

  private static func digits(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private mutating func write(_ object: AnyObject) -> String? {
    if let object = object as? DataObject, let classes {
      do throws(TideError) {
        if let reference = try classes.reference(to: object, depth: depth) {
          write(reference)
          return nil
        }
      } catch {
        return error.message
      }
    }
    guard depth < Self.deepest else { return Self.tooDeep }
    depth += 1
    defer { depth -= 1 }
    switch object {
    case let list as ValueList:
      text += "["
      for (index, element) in list.values.enumerated() {
        if index > 0 { text += ", " }
        if let reason = write(element) { return reason }
      }
      text += "]"
    case let dictionary as DictionaryObject:
      depth -= 1
      defer { depth += 1 }
      return writeDictionary(dictionary.unsortedKeys.map { ($0, .value(dictionary[$0])) })
    case let object as DataObject where !object.shape.properties.isEmpty: return write(object)
    default: return Self.refusal
    }
    return nil
  }

  private static let tooLong = "it is longer than all settings may be"
  private static let tooDeep = "it nests too deep, or contains itself"
  static let refusal = "settings cannot hold functions or host objects"

  private mutating func write(_ reference: SettingsReference) {
    switch reference {
    case .number(let number): text += "{\"$ref\": \(number)}"
    case .model(let name): tag("$model", name)
    case .property(let property, let model): tag("$property", [model, property])
    case .row(let id, let list, let model): tag("$row", [model, list, id])
    }
  }

  private mutating func tag(_ name: String, _ parts: [String]) {
    text += "{\"\(name)\": ["
    for (index, part) in parts.enumerated() {
      if index > 0 { text += ", " }
      put(part)
    }
    text += "]}"
  }

  private mutating func write(_ object: DataObject) -> String? {
    depth -= 1
    defer { depth += 1 }
    var head: [(String, String)] = []
    if let classes {
      do {
        switch try classes.kind(of: object) {
        case .named(let name, let module):
          head = [("$class", name.quotedForJSON), ("$module", module.quotedForJSON)]
        case .anonymous(let properties):
          let types = properties.map {
            "\(SettingsReader.escaped($0.name).quotedForJSON): "
              + "\"\($0.type.name)\($0.isNullable ? "?" : "")\""
          }
          head = [("$object", "{\(types.joined(separator: ", "))}")]
        }
      } catch {
        return error.message
      }
    }
    var entries: [(key: DictionaryKey, value: SettingsEntry)] = object.storedValues.map {
      (.text($0.name), .value($0.value))
    }
    let unread = classes?.unread(of: object) ?? [:]
    if !unread.isEmpty {
      entries.removeAll { unread[$0.key] != nil }
      entries += unread.map { ($0.key, .unread($0.value)) }
    }
    return writeEntries(entries, head, isOfObject: true)
  }

  // MARK: Entries

  /// Gives why the whole cannot be written; what is wrong with one entry leaves that out.
  private mutating func writeDictionary(
    _ entries: [(key: DictionaryKey, value: SettingsEntry)]
  ) -> String? {
    let isText = entries.allSatisfy { if case .text = $0.key { true } else { false } }
    if isText { return writeEntries(entries, []) }
    text += "{\"$dict\": ["
    var isFirst = true
    for (key, value) in sorted(entries) {
      if failure != nil { return nil }
      let start = text.utf8.count
      text += isFirst ? "[" : ", ["
      _ = write(key.value)
      text += ", "
      if let reason = write(value, isOfObject: false) {
        if isWhole(reason) { return reason }
        leaveOut(key, from: start, because: reason)
        continue
      }
      text += "]"
      isFirst = false
    }
    text += "]}"
    return nil
  }

  /// Whether a reason is one of the whole setting, and not of an entry deep inside.
  private func isWhole(_ reason: String) -> Bool { reason == Self.tooDeep && depth > 1 }

  /// Writes entries with keys that are text, one on a line.
  private mutating func writeEntries(
    _ entries: [(key: DictionaryKey, value: SettingsEntry)], _ head: [(String, String)],
    isOfObject: Bool = false
  ) -> String? {
    depth += 1
    defer { depth -= 1 }
    text += "{"
    var isFirst = true
    if !head.isEmpty {
      text += newLine + head.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
      isFirst = false
    }
    for (key, value) in sorted(entries) {
      if failure != nil { return nil }
      let start = text.utf8.count
      text += (isFirst ? "" : ",") + newLine
      put(SettingsReader.escaped(key.text))
      text += ": "
      if let reason = write(value, isOfObject: isOfObject) {
        if reason == Self.tooDeep, depth > 2 { return reason }
        leaveOut(key, from: start, because: reason)
        continue
      }
      isFirst = false
    }
    text += isFirst ? "}" : String(newLine.dropLast(2)) + "}"
    return nil
  }

  private mutating func sorted<Content>(
    _ entries: [(key: DictionaryKey, value: Content)]
  ) -> [(key: DictionaryKey, value: Content)] {
    do throws(WorkError) { return try entries.sorted(byKey: \.key) } catch {
      failure = failure ?? error
      return []
    }
  }

  private var newLine: String { "\n" + String(repeating: "  ", count: depth) }

  private mutating func leaveOut(_ key: DictionaryKey, from start: Int, because reason: String) {
    let known = omitted ?? ("the setting \"\(key.excerpt)\" is not kept: \(reason)", 0)
    omitted = (known.first, known.count + 1)
    text.removeSubrange(text.utf8.index(text.startIndex, offsetBy: start)...)
  }

  private mutating func write(_ entry: SettingsEntry, isOfObject: Bool) -> String? {
    switch entry {
    case .value(let value): return write(value, isOfObject: isOfObject)
    case .unread(let tree):
      write(tree)
      return nil
    case .text(let written):
      if let reason = checkBudget() { return reason }
      text += written
      return nil
    }
  }

  /// Writes what nobody could read as it was.
  private mutating func write(_ tree: JSONTree) {
    if checkBudget() != nil { return }
    switch tree {
    case .null: text += "null"
    case .boolean(let flag): text += flag ? "true" : "false"
    case .integer(let integer): text += String(integer)
    case .number(let number): text += "\(number)"
    case .string(let string): put(string)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        write(element)
      }
      text += "]"
    case .object(let entries):
      text += "{"
      for (index, (key, value)) in sorted(entries.map { ($0.key, $0.value) }).enumerated() {
        if index > 0 { text += ", " }
        put(key.text)
        text += ": "
        write(value)
      }
      text += "}"
    }
  }

  /// Why nothing more can be written; nil where the turn has time and memory for it. A few objects
  /// that share others may stand for endless text.
  private mutating func checkBudget() -> String? {
    if text.utf8.count > longest { isTooLong = true }
    if isTooLong { return Self.tooLong }
    do throws(WorkError) {
      if let failure { throw failure }
      try budget.grow(to: text.utf8.count)
      return nil
    } catch {
      failure = error
      return error == .time ? "the turn took too long" : "there is not enough memory"
    }
  }

  private mutating func put(_ string: String) {
    let length = string.utf8.count
    if length > longest || text.utf8.count + length > longest {
      isTooLong = true
      return
    }
    do throws(WorkError) {
      // Quoted it is there once more, and longer.
      if length > Self.long { try WorkBudget.admit(bytes: 3 * length) }
      text += string.quotedForJSON
    } catch {
      failure = failure ?? error
    }
  }

  /// Texts beyond this are admitted one by one.
  private static let long = 1 << 14
}

/// A setting on its way to the file.
enum SettingsEntry {
  case value(Value)
  /// As it stood in the file, because it holds objects of a class that the app does not have now.
  case unread(JSONTree)
  /// Written before.
  case text(String)
}
