import TideGraph

/// Values that outlive an app, as bytes: in the form of a settings file.
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
}
