import TideBindings
import TideGraph

/// Converts values to the bytes that are shared, and back.
struct SharedValues {
  private let home: Home

  init(_ home: Home) { self.home = home }

  private var classes: ScriptSettingsClasses {
    ScriptSettingsClasses(home, validating: true)
  }

  /// - Throws: `settings` for values that cannot be shared; `scriptTime` or `scriptMemory` if the
  ///   turn's budget is exhausted.
  func bytes(of value: Value) throws(TideError) -> [UInt8] {
    try KeptValues.bytes(of: value, classes: classes)
  }

  /// Nil for an object of a class that is not declared here.
  func value(in bytes: [UInt8]) throws(TideError) -> Value? {
    try KeptValues.value(in: bytes, classes: classes)
  }

  // MARK: Rows

  /// An element of a list as the fields of a document.
  func fields(of element: Value) throws(TideError) -> [SharedDocument.Field] {
    if case .object(let object as ScriptObject) = element {
      let kind = try classes.kind(of: object)
      var fields = [SharedDocument.Field(name: SharedDocument.kind, bytes: Array(kind.text.utf8))]
      for (name, value) in object.storedValues {
        fields.append(.init(name: name, bytes: try bytes(of: value)))
      }
      return fields
    }
    return [.init(name: SharedDocument.value, bytes: try bytes(of: element))]
  }

  /// Whether a row names the class of an object, whichever module declares the class.
  func isKind(_ entry: SharedReplica.Entry, of object: ScriptObject) -> Bool {
    guard let bytes = entry[SharedDocument.kind],
      case .named(let name, let module)? = SettingsObjectKind(
        text: String(decoding: bytes, as: UTF8.self))
    else { return false }
    return (try? home.requireRuntime())?.scriptClass(named: name, of: module) === object.scriptClass
  }

  /// The element that a row's fields stand for; nil for an object of a class that is not declared
  /// here.
  func element(_ entry: SharedReplica.Entry) throws(TideError) -> Value? {
    guard let kind = entry[SharedDocument.kind] else {
      guard let bytes = entry[SharedDocument.value] else { return nil }
      return try value(in: bytes)
    }
    guard let kind = SettingsObjectKind(text: String(decoding: kind, as: UTF8.self)) else {
      throw TideError(.settings, "a row of a shared list is of no class that can be read")
    }
    var values: [String: Value] = [:]
    for name in entry.names where !name.hasPrefix("\u{1}") {
      values[name] = try value(in: entry[name] ?? [])
    }
    return try classes.make(kind, values).map { .object($0) }
  }
}

extension SettingsObjectKind {
  private static let separator: Character = "\u{1f}"

  /// The class as a row of a shared list stores it.
  var text: String {
    switch self {
    case .named(let name, let module): return "class\u{1f}\(module)\u{1f}\(name)"
    case .anonymous(let properties):
      let parts = properties.sorted { $0.name < $1.name }.map {
        "\($0.name)\u{1f}\($0.type.name)\u{1f}\($0.isNullable ? "nil" : "")"
      }
      return (["object"] + parts).joined(separator: "\u{1f}")
    }
  }

  init?(text: String) {
    let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false).map(
      String.init)
    if parts.first == "class", parts.count == 3 {
      self = .named(parts[2], module: parts[1])
      return
    }
    guard parts.first == "object", parts.count % 3 == 1 else { return nil }
    var properties: [Property] = []
    for index in stride(from: 1, to: parts.count, by: 3) {
      guard let type = ValueType(name: parts[index + 1]) else { return nil }
      properties.append(
        .init(parts[index], type, isNullable: parts[index + 2] == "nil"))
    }
    self = .anonymous(properties)
  }
}

/// Texts among the shared values.
enum SharedText {
  private static let quote = UInt8(ascii: "\"")

  /// Merges two concurrent versions of a text (a three-way merge): the bytes of the merged text; nil
  /// if both versions change the same part of it, or if they are not texts.
  ///
  /// - Parameter base: the version from which both were edited.
  static func merged(_ base: [UInt8]?, _ mine: [UInt8], _ theirs: [UInt8]?) -> [UInt8]? {
    guard let base, let theirs, let base = text(in: base), let mine = text(in: mine),
      let theirs = text(in: theirs), let merged = base.merging(apart: mine, theirs)
    else { return nil }
    return try? KeptValues.bytes(of: .string(merged), classes: nil)
  }

  private static func text(in bytes: [UInt8]) -> String? {
    // Other values are not parsed, because they may be large.
    guard bytes.first == quote,
      case .string(let text)? = try? KeptValues.value(in: bytes, classes: nil)
    else { return nil }
    return text
  }
}
