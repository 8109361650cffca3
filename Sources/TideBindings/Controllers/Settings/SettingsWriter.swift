import TideSystem
import TideGraph

/// Writes settings as JSON with sorted keys, so that equal values make equal text. Its reads are
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
/// Values without a form in JSON are objects whose first key begins with `$`: objects with a class
/// (`$class`) and without one (`$object`, with the types of their properties), numbers that are not
/// finite (`$number`), text that is not UTF-8 (`$bytes`, in hexadecimal digits), markers
/// (`$marker`), and dicts with keys that are not UTF-8 (`$dict`, a list of pairs). A dict's own key
/// that begins with `$` gets another `$` as a prefix. For objects that are stored elsewhere, `$ref`
/// is the number of an object, `$model` the name of a model, `$property` the names of a model and
/// its property, and `$row` those with the identity of a shared row. Numbers with a fraction or an
/// exponent are floats. In lists and dicts `null` is the marker of that name; in objects it is nil.
struct SettingsWriter {
  private(set) var text = ""
  /// The first entry that was left out because it cannot be written, and the number of such
  /// entries.
  private(set) var omitted: (first: String, count: Int)?
  /// Whether the text was cut off because it is too long.
  private(set) var isTooLong = false
  /// The lack of time or memory that has stopped the writing.
  private(set) var failure: WorkError?
  private let classes: (any SettingsClasses)?
  private var depth = 0
  private var budget = TextBudget()

  /// The current format. The former one had the values at the top and no tags.
  static let format = 2
  /// The maximum depth of nested lists and dictionaries.
  static let deepest = 100

  /// The maximum length of the text in bytes. Nothing longer can be stored.
  private let longest: Int

  /// - Parameter longest: the maximum length in bytes. Of a longer text only `isTooLong` is known.
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

  /// Writes one setting by itself, as in a file. Returns whether it was written.
  mutating func write(setting entry: SettingsEntry, of key: DictionaryKey) -> Bool {
    depth = 2
    guard let reason = write(entry, isOfObject: false) else { return true }
    leaveOut(key, from: 0, because: reason)
    return false
  }

  /// Writes a value by itself. Returns the reason if it cannot be written.
  mutating func write(value: Value) -> String? { write(value) }

  /// Writes an object by itself, even if others refer to it. Returns the reason if it cannot be
  /// written.
  mutating func write(whole object: DataObject) -> String? {
    if let reason = checkBudget() { return reason }
    depth += 1
    defer { depth -= 1 }
    return write(object)
  }

  /// The text of a parsed value. Equal values have equal text.
  static func text(of tree: JSONTree) -> String {
    var writer = SettingsWriter()
    writer.write(tree)
    return writer.text
  }

  // MARK: Values

  /// Returns the reason why a value cannot be written; nil if it was written.
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
    case let object as DataObject where classes != nil || !object.shape.properties.isEmpty:
      return write(object)
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

  /// Returns the reason if the whole cannot be written. An entry that cannot be written is left
  /// out.
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

  /// Whether a reason concerns the whole setting, and not a single nested entry.
  private func isWhole(_ reason: String) -> Bool { reason == Self.tooDeep && depth > 1 }

  /// Writes entries with text keys, one per line.
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

  /// Writes an unread setting unchanged.
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

  /// The reason why nothing more can be written; nil if the turn has time and memory. A few objects
  /// that share others could expand to endless text.
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
      // The quoted text is a second copy, and longer.
      if length > Self.long { try WorkBudget.admit(bytes: 3 * length) }
      text += string.quotedForJSON
    } catch {
      failure = failure ?? error
    }
  }

  /// Texts above this size in bytes are admitted one by one.
  private static let long = 1 << 14
}

/// A setting to be written to the file.
enum SettingsEntry {
  case value(Value)
  /// The parsed text from the file, because it holds objects of a class that the app does not have
  /// now.
  case unread(JSONTree)
  /// Text that was serialized before.
  case text(String)
}
