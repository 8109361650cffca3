import TideGraph

/// Values that outlive an app or go to another one, as bytes: in the form of a settings file.
///
/// ```swift
/// let bytes = KeptValues.bytes(of: values, classes: classes)
/// let again = KeptValues.values(in: bytes, classes: classes)
/// ```
package enum KeptValues {
  /// What no file can hold, such as functions, is left out.
  package static func bytes(
    of values: DictionaryObject, classes: (any SettingsClasses)?
  ) -> [UInt8] {
    var writer = SettingsWriter(classes: classes)
    writer.write(
      settings: values.unsortedKeys.map { ($0, .value(values[$0])) })
    return Array(writer.text.utf8)
  }

  /// What cannot be read is left out.
  package static func values(
    in bytes: [UInt8], classes: (any SettingsClasses)?
  ) -> DictionaryObject {
    var reader = SettingsReader(classes: classes)
    return (try? reader.contents(of: bytes, file: "kept values"))?.values ?? DictionaryObject()
  }

  /// One value by itself.
  ///
  /// - Throws: `settings` with why no file can hold it, `scriptTime` or `scriptMemory` where the
  ///   turn has too little left.
  package static func bytes(
    of value: Value, classes: (any SettingsClasses)?
  ) throws(TideError) -> [UInt8] {
    if value == .null { return [] }
    var writer = SettingsWriter(classes: classes)
    if let reason = writer.write(value: value) { throw TideError(.settings, reason) }
    if let failure = writer.failure { throw TideError(failure) }
    if let omitted = writer.omitted { throw TideError(.settings, omitted.first) }
    return Array(writer.text.utf8)
  }

  /// The value that the bytes stand for; nil while it is of a class that the app does not have.
  ///
  /// - Throws: `settings` for bytes that stand for none, `scriptTime` or `scriptMemory` where the
  ///   turn has too little left.
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
}
