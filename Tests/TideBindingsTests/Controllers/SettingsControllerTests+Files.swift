import Foundation
import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

// What is in a file of settings: values of every kind, former and later formats, and what is no
// such file.

extension SettingsControllerTests {
  @Test func `settings that are not kept are read, and the file stays as it is`() throws {
    defer { leave() }
    let kept = SettingsController(path: path)
    kept.values[entry: "theme"] = "dark"
    let good = try contents()
    let settings = SettingsController(
      path: path, initialValues: DictionaryObject(), volume: nil, isKept: false)
    #expect(settings.values[entry: "theme"] == "dark")
    settings.values[entry: "theme"] = "light"
    try settings.save()
    #expect(settings.values[entry: "theme"] == "light" && !settings.hasUnappliedChanges)
    #expect(try contents() == good)
    try "{ broken".write(toFile: path, atomically: false, encoding: .utf8)
    BindingTable.current.clearErrors()
    let broken = SettingsController(
      path: path, initialValues: DictionaryObject(), volume: nil, isKept: false)
    broken.values[entry: "theme"] = "light"
    #expect(BindingTable.current.errors.last?.code == .settings)
    #expect(try contents() == "{ broken")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/deep")
    #expect(left == ["settings.json"])
  }

  @Test func `nobody waits for a pipe in place of the file`() throws {
    defer { leave() }
    try FileManager.default.createDirectory(
      atPath: folder + "/deep", withIntermediateDirectories: true)
    #expect(mkfifo(path, 0o600) == 0)
    BindingTable.current.clearErrors()
    let settings = SettingsController(path: path, initialValues: ["theme": "dark"])
    #expect(settings.values[entry: "theme"] == "dark")
    #expect(BindingTable.current.errors.last?.message == "settings.json is not a regular file")
  }

  @Test(arguments: [
    ("{ \"a\": 1, oops }", "1:11"), ("", "1:1"), ("[1]", "1:1"), ("{\n  \"a\": tru\n}", "2:8"),
    ("{ \"a\": 1 } x", "1:12"), ("{ \"a\": \"\\q\" }", "1:10"), ("{ \"a\": 01e }", "1:9"),
  ])
  func `a broken file is reported with its location, and kept aside`(
    text: String, location: String
  ) throws {
    defer { leave() }
    try FileManager.default.createDirectory(
      atPath: folder + "/deep", withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    BindingTable.current.clearErrors()
    let settings = SettingsController(path: path, initialValues: ["theme": "dark"])
    let error = try #require(BindingTable.current.errors.last)
    #expect(error.code == .settings)
    #expect(error.location?.description == "settings.json:\(location)")
    #expect(error.message.hasSuffix("they are kept in settings.json.broken"))
    #expect(!error.message.contains(folder) && error.underlyingPath == path)
    #expect(settings.values[entry: "theme"] == "dark")
    #expect(try String(contentsOfFile: path + ".broken", encoding: .utf8) == text)
    settings.values[entry: "theme"] = "light"
    #expect(try contents().contains("light"))
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    _ = SettingsController(path: path)
    #expect(FileManager.default.fileExists(atPath: path + ".broken-2"))
  }

  @Test func `what cannot be written is listed once, and kept in memory`() throws {
    defer { leave() }
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    // A file where a folder would have to be: that no right of the person's helps with.
    try "".write(toFile: folder + "/deep", atomically: false, encoding: .utf8)
    BindingTable.current.clearErrors()
    let settings = SettingsController(path: path + "/further/settings.json")
    let before = BindingTable.current.errors.count
    settings.values[entry: "a"] = 1
    settings.values[entry: "a"] = 2
    let listed = BindingTable.current.errors
    #expect(listed.count <= before + 1)
    #expect(listed.last?.message.contains(folder) == false)
    #expect(listed.last?.code == .settings)
    #expect(settings.values[entry: "a"] == 2)
    #expect(throws: TideError.self) { try settings.save() }
  }

  @Test func `more than the app may keep is refused, and the last good file stays`() throws {
    defer { leave() }
    let volume = SettingsVolume(folder: folder + "/deep", bytes: 20_000)
    let settings = SettingsController(path: path, initialValues: DictionaryObject(), volume: volume)
    settings.values[entry: "a"] = "good"
    let good = try contents()
    settings.appliesImmediately = false
    settings.values[entry: "b"] = .string(String(repeating: "x", count: 20_000))
    let error = #expect(throws: TideError.self) { try settings.save() }
    #expect(error?.message.hasPrefix("the settings in settings.json are not written") == true)
    #expect(error?.message.contains("raise the limit \"settings\"") == true)
    #expect(error?.message.contains(folder) == false && error?.underlyingPath == path)
    #expect(try contents() == good)
    settings.values[entry: "b"] = "small"
    try settings.save()
    // Files of other names count, whoever has written them.
    for number in 0..<4 {
      let other = SettingsController(
        path: "\(folder)/deep/\(number).json", initialValues: DictionaryObject(), volume: volume)
      other.appliesImmediately = false
      other.values[entry: "a"] = 1
      if number < 3 {
        try other.save()
      } else {
        let again = SettingsVolume(folder: folder + "/deep", bytes: 20_000)
        #expect(throws: TideError.self) { try again.admit(10, at: "\(folder)/deep/4.json") }
        #expect(throws: TideError.self) { try other.save() }
      }
    }
  }

  @Test func `only a few broken files are put aside`() throws {
    defer { leave() }
    try FileManager.default.createDirectory(
      atPath: folder + "/deep", withIntermediateDirectories: true)
    for _ in 0..<12 {
      try "{ broken".write(toFile: path, atomically: false, encoding: .utf8)
      let settings = SettingsController(path: path)
      settings.values[entry: "a"] = 1
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/deep")
    #expect(names.count == 9)
    #expect(try contents() == "{ broken", "the last one was not overwritten")
  }

  @Test func `a folder in the file's place is not touched`() throws {
    defer { leave() }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    BindingTable.current.clearErrors()
    let settings = SettingsController(path: path)
    #expect(BindingTable.current.errors.last?.message.contains("not a regular file") == true)
    #expect(BindingTable.current.errors.last?.message.contains(folder) == false)
    settings.values[entry: "a"] = 1
    #expect(throws: TideError.self) { try settings.save() }
  }

  @Test func `a value that no file can hold is left out, by name`() throws {
    defer { leave() }
    let settings = SettingsController(path: path)
    settings.appliesImmediately = false
    settings.values[entry: "good"] = 1
    settings.values[entry: "odd"] = .object(ObserverFunction { _, _ in })
    let error = #expect(throws: TideError.self) { try settings.save() }
    #expect(error?.message.contains("\"odd\"") == true)
    #expect(try contents().contains("good"))
  }

  @Test func `of many values that no file can hold the first is named, and the others counted`()
    throws
  {
    let settings = SettingsController()
    settings.appliesImmediately = false
    let long = String(repeating: "a", count: 10_000)
    for number in 10..<60 {
      settings.values[entry: "\(long)\(number)"] = .object(ObserverFunction { _, _ in })
    }
    let error = try #require(#expect(throws: TideError.self) { try settings.save() })
    #expect(error.message.utf8.count < 500)
    #expect(error.message.hasSuffix("; nor are 49 others"))
  }

  /// A class that has no time or memory for its objects, and fails in a script's line.
  private final class FailingClasses: SettingsClasses {
    var isFailing = true

    func kind(of object: DataObject) throws(TideError) -> SettingsObjectKind { .anonymous([]) }

    func make(
      _ kind: SettingsObjectKind, _ values: [String: Value]
    ) throws(TideError) -> DataObject? {
      if !isFailing { return DictionaryObject() }
      throw TideError(
        .scriptMemory, "not enough memory", location: SourceLocation(file: "app.lua", line: 3))
    }
  }

  @Test func `a sound file that cannot be read now is left alone, and listed`() throws {
    defer { leave() }
    let text = """
      { "$settings": 2, "values": { "rows": { "$class": "Row", "$module": "app" }, "size": 3 } }
      """
    try FileManager.default.createDirectory(
      atPath: folder + "/deep", withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    let classes = FailingClasses()
    let settings = SettingsController(
      path: path, initialValues: DictionaryObject(), volume: nil, classes: classes)
    let table = BindingTable.of(settings.graph)
    let listed = try #require(table.errors.last)
    #expect(listed.code == .scriptMemory)
    #expect(listed.message.contains("settings.json cannot be read now"))
    settings.values[entry: "size"] = 4
    #expect(!settings.applyAtEnd())
    #expect(throws: TideError.self) { try settings.save() }
    #expect(try contents() == text)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/deep")
    #expect(files == ["settings.json"])
    classes.isFailing = false
    let later = SettingsController(
      path: path, initialValues: DictionaryObject(), volume: nil, classes: classes)
    #expect(later.values[entry: "size"] == 3)
  }

  @Test func `what was written is read back the same`() throws {
    var random = SeededGenerator("settings")
    for _ in 0..<200 {
      let dictionary = DictionaryObject()
      for number in 0..<Int.random(in: 0..<6, using: &random) {
        dictionary[entry: "k\(number)\"\\\u{e9}"] = value(&random, depth: 0)
      }
      let text = text(of: dictionary)
      var reader = SettingsReader(classes: nil)
      let again = try reader.contents(of: Array(text.utf8), file: "x").values
      #expect(self.text(of: again) == text)
      #expect(isSame(.object(again), .object(dictionary)), "\(text)")
      // Cut anywhere, it is refused or read, and never worse.
      for end in 0..<text.utf8.count {
        _ = try? reader.contents(of: Array(text.utf8.prefix(end)), file: "x")
      }
    }
  }

  private func text(of dictionary: DictionaryObject) -> String {
    var writer = SettingsWriter()
    writer.write(settings: dictionary.unsortedKeys.map { ($0, .value(dictionary[$0])) })
    #expect(writer.omitted == nil)
    return writer.text
  }

  /// Whether two values are the same to a script, which tells integers from floats and text by
  /// bytes.
  private func isSame(_ value: Value, _ other: Value) -> Bool {
    switch (value, other) {
    case (.number(let a), .number(let b)): return a.bitPattern == b.bitPattern
    case (.integer(let a), .integer(let b)): return a == b
    case (.string(let a), .string(let b)): return a.utf8.elementsEqual(b.utf8)
    case (.bytes(let a), .bytes(let b)): return a == b
    case (.boolean(let a), .boolean(let b)): return a == b
    case (.null, .null): return true
    case (.object(let a as ValueList), .object(let b as ValueList)):
      return a.count == b.count && zip(a.values, b.values).allSatisfy { isSame($0, $1) }
    case (.object(let a as DictionaryObject), .object(let b as DictionaryObject)):
      return Set(a.unsortedKeys) == Set(b.unsortedKeys)
        && a.unsortedKeys.allSatisfy { isSame(a[$0], b[$0]) }
    case (.object(let a as Marker), .object(let b as Marker)): return a === b
    default: return false
    }
  }

  /// A file as version 1 has written it: the values at the top, objects as plain ones.
  private static let formatBefore = """
    {
      "$special": "kept",
      "big": 9223372036854775807,
      "nothing": null,
      "on": true,
      "ratio": 0.5,
      "recent": ["a", 1, null, 2.0],
      "rows": [{
        "age": 36,
        "name": "Ada"
      }],
      "theme": "light \\u0001\\n\u{e9}",
      "values": {
        "deep": {}
      }
    }

    """

  @Test func `a file of the format before is read as that version read it`() throws {
    defer { leave() }
    try FileManager.default.createDirectory(
      atPath: folder + "/deep", withIntermediateDirectories: true)
    try Self.formatBefore.write(toFile: path, atomically: false, encoding: .utf8)
    BindingTable.current.clearErrors()
    let settings = SettingsController(path: path, initialValues: ["theme": "dark", "nothing": 7])
    #expect(BindingTable.current.errors.isEmpty)
    #expect(!settings.hasUnappliedChanges)
    #expect(try contents() == Self.formatBefore, "reading changes nothing")
    let values = settings.values
    #expect(values[entry: "theme"] == "light \u{1}\n\u{e9}" && values[entry: "$special"] == "kept")
    #expect(values[entry: "big"] == .integer(.max) && values[entry: "on"] == true)
    #expect(values[entry: "nothing"] == 7, "what was nil had its initial value")
    let recent = ValueList(["a", 1, .null, .number(2)])
    #expect(isSame(values[entry: "recent"], .object(recent)))
    let row = DictionaryObject(["age": 36, "name": "Ada"])
    #expect(isSame(values[entry: "rows"], .object(ValueList([.object(row)]))))
    #expect(
      isSame(
        values[entry: "values"], .object(DictionaryObject(["deep": .object(DictionaryObject())]))))
    values[entry: "theme"] = "blue"
    #expect(try contents().hasPrefix("{\n  \"$settings\": 2,\n"))
    let again = SettingsController(path: path, initialValues: ["theme": "dark"]).values
    values[entry: "nothing"] = .null
    #expect(isSame(.object(again), .object(values)))
  }

  @Test func `a file of a later format is left alone`() throws {
    defer { leave() }
    try FileManager.default.createDirectory(
      atPath: folder + "/deep", withIntermediateDirectories: true)
    let later = "{\"$settings\": 3, \"values\": {\"a\": [1]}}"
    try later.write(toFile: path, atomically: false, encoding: .utf8)
    BindingTable.current.clearErrors()
    let settings = SettingsController(path: path, initialValues: ["a": 0])
    #expect(BindingTable.current.errors.last?.message.contains("format 3") == true)
    settings.values[entry: "a"] = 5
    #expect(settings.values[entry: "a"] == 5)
    #expect(throws: TideError.self) { try settings.save() }
    #expect(try contents() == later)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/deep").count == 1)
  }

  @Test(arguments: [
    "{\"$settings\": 2, \"values\": []}", "{\"$settings\": 1, \"values\": {}}",
    "{\"$settings\": 2, \"values\": {\"a\": {\"$odd\": 1}}}",
    "{\"$settings\": 2, \"values\": {\"a\": {\"$number\": \"7\"}}}",
    "{\"$settings\": 2, \"values\": {\"a\": {\"$bytes\": \"0g\"}}}",
    "{\"$settings\": 2, \"values\": {\"a\": {\"$dict\": [[1, 2]]}}}",
    "{\"$settings\": 2, \"values\": {\"a\": {\"$marker\": \"nil\"}}}",
  ])
  func `a file that does not keep to the format is put aside`(_ text: String) throws {
    defer { leave() }
    try FileManager.default.createDirectory(
      atPath: folder + "/deep", withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    BindingTable.current.clearErrors()
    let settings = SettingsController(path: path)
    let error = BindingTable.current.errors.last
    #expect(error?.code == .settings && error?.message.contains("kept in") == true)
    #expect(error?.location != nil)
    settings.values[entry: "a"] = 1
    #expect(try contents().contains("\"a\": 1"))
  }

  @Test func `another form of the same letters is a change`() throws {
    defer { leave() }
    let settings = SettingsController(path: path)
    settings.values[entry: "a"] = "\u{e9}"
    settings.values[entry: "a"] = "e\u{301}"
    #expect(try contents().unicodeScalars.contains("\u{301}"))
  }

  private func value(_ random: inout SeededGenerator, depth: Int) -> Value {
    switch Int.random(in: 0..<(depth < 3 ? 11 : 8), using: &random) {
    case 0: .integer(Int.random(in: Int.min...Int.max, using: &random))
    case 1: .number(Double.random(in: -1e20...1e20, using: &random) + 0.5)
    case 2: .boolean(Bool.random(using: &random))
    case 3: .null
    case 4:
      .string(String((0..<5).map { _ in "a\n\"\\\u{1}é😀".randomElement(using: &random) ?? "b" }))
    case 5: .bytes([0xff, 0, UInt8.random(in: 0...255, using: &random)])
    case 6:
      [0.0, -0.0, 1, -1e300, .infinity, -.infinity, .leastNonzeroMagnitude]
        .randomElement(using: &random).map { .number($0) } ?? .null
    case 7: [Marker.null, .noSelection, .unchanged].randomElement(using: &random)?.value ?? .null
    case 8:
      .object(ValueList((0..<3).map { _ in value(&random, depth: depth + 1) }))
    case 9: odd(value(&random, depth: depth + 1))
    default: .object(DictionaryObject(["x": value(&random, depth: depth + 1)]))
    }
  }

  /// In a dict with keys that files have other uses for.
  private func odd(_ value: Value) -> Value {
    let made = DictionaryObject(["$class": value, "$": 1, "$$x": 2])
    if value.isNil { made.set(.bytes([0xc3, 0x28]), 3) }
    return .object(made)
  }
}
