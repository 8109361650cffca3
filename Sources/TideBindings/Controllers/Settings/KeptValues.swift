import TideGraph
import TideSystem

/// Serializes values in the format of a settings file, to store them or send them to another app.
///
/// ```swift
/// let bytes = try KeptValues.bytes(of: value, classes: classes)
/// let again = try KeptValues.value(in: bytes, classes: classes)
/// ```
package enum KeptValues {
  /// The text of a value, without the entries that cannot be stored; nil if the value itself
  /// cannot.
  package static func text(
    of value: Value, classes: (any SettingsClasses)?
  ) -> String? {
    var writer = SettingsWriter(classes: classes)
    let reason = writer.write(value: value)
    return reason == nil && writer.failure == nil ? writer.text : nil
  }

  /// The text of an object that is elsewhere written as a reference.
  package static func text(
    ofWhole object: DataObject, classes: any SettingsClasses
  ) -> String? {
    var writer = SettingsWriter(classes: classes)
    let reason = writer.write(whole: object)
    return reason == nil && writer.failure == nil ? writer.text : nil
  }

  /// The value of a parsed text; nil while the app does not have its class.
  package static func value(
    of tree: JSONTree, classes: any SettingsClasses
  ) throws(TideError) -> Value? {
    var reader = SettingsReader(classes: classes)
    do throws(SettingsReader.Fault) { return try reader.read(tree, of: .text("value")) } catch {
      throw error.error
    }
  }

  /// The bytes of a value.
  ///
  /// - Throws: `settings` with the reason why it cannot be stored, `scriptTime` or `scriptMemory`
  ///   if the turn has too little left.
  package static func bytes(
    of value: Value, classes: (any SettingsClasses)?
  ) throws(TideError) -> [UInt8] {
    if value == .null { return [] }
    var writer = SettingsWriter(classes: classes)
    let reason = writer.write(value: value)
    return try text(of: writer, reason)
  }

  /// The bytes of an object, even if it is elsewhere written as a reference.
  package static func bytes(
    ofWhole object: DataObject, classes: any SettingsClasses
  ) throws(TideError) -> [UInt8] {
    var writer = SettingsWriter(classes: classes)
    let reason = writer.write(whole: object)
    return try text(of: writer, reason)
  }

  private static func text(
    of writer: SettingsWriter, _ reason: String?
  ) throws(TideError) -> [UInt8] {
    if let reason { throw TideError(.settings, reason) }
    if let failure = writer.failure { throw TideError(failure) }
    if let omitted = writer.omitted { throw TideError(.settings, omitted.first) }
    return Array(writer.text.utf8)
  }

  /// The value of stored bytes; nil while the app does not have its class.
  ///
  /// - Throws: `settings` for invalid bytes, `scriptTime` or `scriptMemory` if the turn has too
  ///   little left.
  package static func value(
    in bytes: [UInt8], classes: (any SettingsClasses)?
  ) throws(TideError) -> Value? {
    if bytes.isEmpty { return .null }
    var reader = SettingsReader(classes: classes)
    do throws(SettingsReader.Fault) {
      return try reader.read(bytes, of: .text("value")).value
    } catch {
      throw error.error
    }
  }

  /// Parses an object's bytes, for ``begin(_:classes:)`` and a later `finish`.
  package static func tree(of bytes: [UInt8]) throws(TideError) -> JSONTree {
    try JSONTree.read(bytes, file: "kept values")
  }

  /// The text with which an object of a class begins in stored bytes. It cannot occur elsewhere:
  /// within a text the quotes would be escaped, and a dict's key would have a second `$`.
  package static func mark(ofClass name: String) -> String { "\"$class\": \(name.quotedForJSON)," }

  /// The bytes of a parsed value, which is not interpreted.
  package static func bytes(of tree: JSONTree) -> [UInt8] {
    if case .null = tree { return [] }
    return Array(SettingsWriter.text(of: tree).utf8)
  }

  /// Makes an object without its values, so that they may refer to it; nil while the app does not
  /// have its class.
  package static func begin(
    _ tree: JSONTree, classes: any SettingsClasses
  ) throws(TideError) -> DataObject? {
    var reader = SettingsReader(classes: classes)
    return try reader.begin(object: tree)
  }

  /// Sets the values of an object that was begun. Returns the entries that need a class which the
  /// app does not have.
  package static func finish(
    _ object: DataObject, _ tree: JSONTree, classes: any SettingsClasses
  ) throws(TideError) -> [DictionaryKey: JSONTree] {
    var reader = SettingsReader(classes: classes)
    return try reader.finish(object, tree)
  }
}
