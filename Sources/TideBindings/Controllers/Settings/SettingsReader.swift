import TideGraph

/// Reads the values of settings from a file. `SettingsWriter` describes the format.
struct SettingsReader {
  /// The memory of the values.
  private var budget = TextBudget()
  private let classes: (any SettingsClasses)?

  init(classes: (any SettingsClasses)?) { self.classes = classes }

  struct Contents {
    var values = DictionaryObject()
    /// Settings with objects of classes that the app does not have now.
    var unread: [DictionaryKey: JSONTree] = [:]
  }

  /// The reason why a file cannot be read.
  enum Fault: Error {
    /// The contents are invalid at the error's location.
    case broken(TideError)
    /// The file may be valid: a later version has written it, the turn had too little time or
    /// memory for it, or a class of the app has failed.
    case unreadable(TideError)

    var error: TideError {
      switch self {
      case .broken(let error), .unreadable(let error): error
      }
    }
  }

  /// Reads a whole file, also one in the former format, which has neither tags nor a format number.
  mutating func contents(of bytes: [UInt8], file: String) throws(Fault) -> Contents {
    let location = SourceLocation(file: file, line: 1, column: 1)
    let tree: JSONTree
    do { tree = try JSONTree.read(bytes, file: file) } catch {
      throw error.isPassing ? Fault.unreadable(error) : Fault.broken(error)
    }
    guard case .object(let entries) = tree else {
      throw .broken(
        TideError(.settings, "expected an object in braces, found \(tree.kind)", location: location)
      )
    }
    guard let format = entries["$settings"], let values = entries["values"], entries.count == 2
    else {
      do { return Contents(values: try plainDictionary(entries)) } catch {
        throw .unreadable(TideError(error))
      }
    }
    guard case .integer(let number) = format, number >= SettingsWriter.format else {
      throw .broken(
        TideError(.settings, "\(format.kind) is not a settings format", location: location))
    }
    guard number == SettingsWriter.format else {
      throw .unreadable(
        TideError(
          .settings,
          "the settings in \(file) are in format \(number), which a later version of Tidelock has "
            + "written; this one knows formats up to \(SettingsWriter.format)"))
    }
    do {
      return try contents(of: values)
    } catch {
      guard case .broken(var fault) = error else { throw error }
      fault.location = location
      throw .broken(fault)
    }
  }

  /// The settings of a whole file in the current format, uninterpreted; nil for any other file.
  /// Throws if the turn has too little time or memory to read it.
  static func settings(
    in bytes: [UInt8], file: String
  ) throws(TideError) -> [DictionaryKey: JSONTree]? {
    let tree: JSONTree
    do { tree = try JSONTree.read(bytes, file: file) } catch {
      if error.isPassing { throw error }
      return nil
    }
    guard case .object(let parts) = tree, parts.count == 2, let values = parts["values"],
      case .integer(let format)? = parts["$settings"], format == SettingsWriter.format,
      let found = try? Self.entries(of: values)
    else { return nil }
    return Dictionary(found, uniquingKeysWith: { $1 })
  }

  private mutating func contents(of tree: JSONTree) throws(Fault) -> Contents {
    var contents = Contents()
    let entries: [(DictionaryKey, JSONTree)]
    do { entries = try Self.entries(of: tree) } catch { throw .broken(error) }
    for (key, value) in entries {
      if let read = try read(value, of: key) {
        contents.values.set(key, read)
      } else {
        contents.unread[key] = value
      }
    }
    return contents
  }

  /// The value of one serialized setting, and its parsed text. The value is nil while it holds
  /// objects of a class that the app does not have.
  mutating func read(
    _ bytes: [UInt8], of key: DictionaryKey
  ) throws(Fault) -> (value: Value?, tree: JSONTree?) {
    let tree: JSONTree
    do { tree = try JSONTree.read(bytes, file: "settings") } catch {
      throw error.isPassing ? Fault.unreadable(error) : Fault.broken(error)
    }
    return (try read(tree, of: key), tree)
  }

  /// The value of one setting; nil while it holds objects of a class that the app does not have.
  mutating func read(_ tree: JSONTree, of key: DictionaryKey) throws(Fault) -> Value? {
    do {
      return try value(tree)
    } catch {
      switch error {
      case .unknownClass: return nil
      case .gone: return .null
      case .broken(let reason):
        throw .broken(
          TideError(.settings, "the setting \"\(key.excerpt)\" is broken: \(reason)"))
      case .failed(let error): throw .unreadable(error)
      }
    }
  }

  /// The classes that a setting needs and the app does not have.
  static func classNames(in tree: JSONTree) -> Set<String> {
    switch tree {
    case .array(let elements):
      return elements.reduce(into: []) { $0.formUnion(classNames(in: $1)) }
    case .object(let entries):
      var found = entries.values.reduce(into: Set()) { $0.formUnion(classNames(in: $1)) }
      if case .string(let name)? = entries["$class"] { found.insert(name) }
      return found
    default: return []
    }
  }

  enum Failure: Error {
    case unknownClass
    /// The object of a reference no longer exists.
    case gone
    case broken(String)
    case failed(TideError)
  }

  // MARK: Values

  /// The size in bytes of a list or dict, and of each element.
  private static let (listWeight, elementWeight) = (320, 80)

  private mutating func admit(elements count: Int) throws(WorkError) {
    try budget.add(Self.listWeight + count * Self.elementWeight)
  }

  private mutating func value(
    _ tree: JSONTree, isOfObject: Bool = false
  ) throws(Failure) -> Value {
    do throws(WorkError) {
      switch tree {
      case .array(let elements): try admit(elements: elements.count)
      case .object(let entries): try admit(elements: entries.count)
      default: try budget.add(0)
      }
    } catch {
      throw .failed(TideError(error))
    }
    switch tree {
    case .null: return isOfObject ? .null : Marker.null.value
    case .boolean(let flag): return .boolean(flag)
    case .integer(let integer): return .integer(integer)
    case .number(let number): return .number(number)
    case .string(let text): return .string(text)
    case .array(let elements):
      var values: [Value] = []
      for element in elements {
        if let value = try presentValue(element) { values.append(value) }
      }
      return .object(ValueList(values))
    case .object(let entries): return try value(of: entries, tree)
    }
  }

  /// The value; nil for a reference to an object that no longer exists.
  private mutating func presentValue(
    _ tree: JSONTree, isOfObject: Bool = false
  ) throws(Failure) -> Value? {
    do throws(Failure) { return try value(tree, isOfObject: isOfObject) } catch {
      if case .gone = error { return nil }
      throw error
    }
  }

  private mutating func value(
    of entries: [DictionaryKey: JSONTree], _ tree: JSONTree
  ) throws(Failure) -> Value {
    if let content = entries["$class"] { return try object(entries, ofClass: content) }
    if let content = entries["$object"] { return try object(entries, of: content) }
    if let reference = try Self.reference(entries) {
      let found: DataObject?
      do throws(TideError) { found = try classes?.object(of: reference) } catch {
        throw .failed(error)
      }
      if let found { return .object(found) }
      switch reference {
      case .number, .model: throw .unknownClass
      case .property, .row: throw .gone
      }
    }
    if let content = entries["$number"] {
      guard case .string(let text) = content, let number = Double(text), !number.isFinite else {
        throw .broken("$number is \(content.kind)")
      }
      return .number(number)
    }
    if let content = entries["$bytes"] {
      guard case .string(let text) = content, let bytes = Self.bytes(text) else {
        throw .broken("$bytes is \(content.kind)")
      }
      return .bytes(bytes)
    }
    if let content = entries["$marker"] {
      let markers: [Marker] = [.null, .unchanged, .noSelection, .multipleValues, .notApplicable]
      guard case .string(let text) = content,
        let marker = markers.first(where: { $0.description == text })
      else { throw .broken("$marker is \(content.kind)") }
      return marker.value
    }
    let dictionary = DictionaryObject()
    let found: [(DictionaryKey, JSONTree)]
    do { found = try Self.entries(of: tree) } catch { throw .broken(error.message) }
    for (key, tree) in found {
      if let value = try presentValue(tree) { dictionary.set(key, value) }
    }
    return .object(dictionary)
  }

  private static func reference(
    _ entries: [DictionaryKey: JSONTree]
  ) throws(Failure) -> SettingsReference? {
    if let content = entries["$ref"] {
      guard case .integer(let number) = content else { throw .broken("$ref is \(content.kind)") }
      return .number(number)
    }
    if let names = try names(entries["$property"], "$property", count: 2) {
      return .property(names[1], model: names[0])
    }
    if let names = try names(entries["$row"], "$row", count: 3) {
      return .row(id: names[2], list: names[1], model: names[0])
    }
    guard let content = entries["$model"] else { return nil }
    guard case .string(let name) = content else { throw .broken("$model is \(content.kind)") }
    return .model(name)
  }

  private static func names(
    _ content: JSONTree?, _ tag: String, count: Int
  ) throws(Failure) -> [String]? {
    guard let content else { return nil }
    var names: [String] = []
    if case .array(let parts) = content {
      for case .string(let name) in parts { names.append(name) }
    }
    guard names.count == count else { throw .broken("\(tag) is \(content.kind)") }
    return names
  }

  private mutating func object(
    _ entries: [DictionaryKey: JSONTree], ofClass content: JSONTree
  ) throws(Failure) -> Value {
    try make(Self.kind(entries, ofClass: content), entries)
  }

  private mutating func object(
    _ entries: [DictionaryKey: JSONTree], of content: JSONTree
  ) throws(Failure) -> Value {
    try make(Self.kind(of: content), entries)
  }

  private static func kind(
    _ entries: [DictionaryKey: JSONTree], ofClass content: JSONTree
  ) throws(Failure) -> SettingsObjectKind {
    guard case .string(let name) = content, case .string(let module)? = entries["$module"] else {
      throw .broken("$class or $module is not a string")
    }
    return .named(name, module: module)
  }

  private static func kind(of content: JSONTree) throws(Failure) -> SettingsObjectKind {
    guard case .object(let types) = content else { throw .broken("$object is \(content.kind)") }
    var properties: [SettingsObjectKind.Property] = []
    for (key, type) in try sorted(types) {
      guard case .string(let text) = type,
        let named = ValueType(name: text.hasSuffix("?") ? String(text.dropLast()) : text)
      else { throw .broken("a property of $object has the type \(type.kind)") }
      properties.append(
        .init(try unescaped(key), named, isNullable: text.hasSuffix("?")))
    }
    return .anonymous(properties)
  }

  private mutating func make(
    _ kind: SettingsObjectKind, _ entries: [DictionaryKey: JSONTree]
  ) throws(Failure) -> Value {
    var values: [String: Value] = [:]
    var unread: [String] = []
    for (key, tree) in entries where !Self.tags.contains(key.text) {
      let name = try Self.unescaped(key)
      do throws(Failure) {
        values[name] = try presentValue(tree, isOfObject: true) ?? .null
      } catch {
        guard case .unknownClass = error, classes?.keepsEntries == true else { throw error }
        unread.append(name)
      }
    }
    let made: DataObject?
    do { made = try classes?.make(kind, values) } catch { throw .failed(error) }
    guard let made else { throw .unknownClass }
    // Unread entries that the class does not declare do not matter.
    for name in unread where made.shape.index(of: name) != nil { throw .unknownClass }
    classes?.noteEntries(entries, of: made)
    return .object(made)
  }

  // MARK: Separately stored objects

  /// Begins to read an object that others refer to: makes it without its values, so that these may
  /// refer to it. Nil while the app does not have its class.
  mutating func begin(object tree: JSONTree) throws(TideError) -> DataObject? {
    guard case .object(let entries) = tree else { throw Self.broken("an object is \(tree.kind)") }
    do throws(Failure) {
      let kind: SettingsObjectKind
      if let content = entries["$class"] {
        kind = try Self.kind(entries, ofClass: content)
      } else if let content = entries["$object"] {
        kind = try Self.kind(of: content)
      } else {
        throw .broken("an object has no class")
      }
      let made: DataObject?
      do throws(TideError) { made = try classes?.make(kind, [:]) } catch { throw .failed(error) }
      return made
    } catch {
      throw Self.error(of: error)
    }
  }

  /// Reads the values of an object that was begun. Leaves out values that need a class which the
  /// app does not have, and returns their entries.
  mutating func finish(
    _ object: DataObject, _ tree: JSONTree
  ) throws(TideError) -> [DictionaryKey: JSONTree] {
    guard case .object(let entries) = tree else { return [:] }
    var values: [String: Value] = [:]
    var unread: [DictionaryKey: JSONTree] = [:]
    for (key, tree) in entries where !Self.tags.contains(key.text) {
      do throws(Failure) {
        values[try Self.unescaped(key)] = try presentValue(tree, isOfObject: true) ?? .null
      } catch {
        guard case .unknownClass = error else { throw Self.error(of: error) }
        unread[.text((try? Self.unescaped(key)) ?? key.text)] = tree
      }
    }
    try classes?.fill(object, values)
    classes?.noteEntries(entries, of: object)
    return unread
  }

  private static func broken(_ reason: String) -> TideError {
    TideError(.settings, "what is kept is broken: \(reason)")
  }

  private static func error(of failure: Failure) -> TideError {
    switch failure {
    case .unknownClass: broken("a class is missing")
    case .gone: broken("an object is missing")
    case .broken(let reason): broken(reason)
    case .failed(let error): error
    }
  }

  private static func sorted(
    _ types: [DictionaryKey: JSONTree]
  ) throws(Failure) -> [(key: DictionaryKey, value: JSONTree)] {
    do { return try types.sorted(byKey: \.key) } catch { throw .failed(TideError(error)) }
  }

  private static let tags: Set = ["$class", "$module", "$object"]

  static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
      guard pair.utf8.allSatisfy({ $0 != 0x2b && $0 != 0x2d }), let byte = UInt8(pair, radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  // MARK: The former format

  private mutating func plainDictionary(
    _ entries: [DictionaryKey: JSONTree]
  ) throws(WorkError) -> DictionaryObject {
    try admit(elements: entries.count)
    let made = DictionaryObject()
    for (key, tree) in entries { made.set(key, try plain(tree)) }
    return made
  }

  private mutating func plain(_ tree: JSONTree) throws(WorkError) -> Value {
    try budget.add(0)
    switch tree {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let integer): return .integer(integer)
    case .number(let number): return .number(number)
    case .string(let text): return .string(text)
    case .array(let elements):
      try admit(elements: elements.count)
      var values: [Value] = []
      for element in elements { values.append(try plain(element)) }
      return .object(ValueList(values))
    case .object(let entries): return .object(try plainDictionary(entries))
    }
  }
}

extension [DictionaryKey: JSONTree] {
  subscript(name: String) -> JSONTree? { self[.text(name)] }
}
