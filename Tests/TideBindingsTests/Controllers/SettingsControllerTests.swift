import Foundation
import Testing
import TideGraph

@testable import TideBindings

@Suite struct SettingsControllerTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "tidelock-settings-\(UUID().uuidString)").path
  private var path: String { folder + "/deep/settings.json" }

  private func contents() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func leave() { try? FileManager.default.removeItem(atPath: folder) }

  @Test func `what is set is in the file, and there at the next start`() throws {
    defer { leave() }
    let first = SettingsController(path: path, initialValues: ["theme": "dark", "size": 80])
    #expect(first.values[entry: "theme"] == "dark")
    #expect(!FileManager.default.fileExists(atPath: path))
    first.values[entry: "theme"] = "light \"é\"\n\u{1}"
    first.values[entry: "ratio"] = 0.5
    first.values[entry: "on"] = true
    first.values[entry: "recent"] = .object(ValueList(["a", 1, .null]))
    #expect(try contents().contains("\"ratio\": 0.5"))
    let second = SettingsController(path: path, initialValues: ["theme": "dark", "size": 80])
    #expect(second.values[entry: "theme"] == "light \"é\"\n\u{1}")
    #expect(second.values[entry: "size"] == 80 && second.values[entry: "on"] == true)
    guard case .object(let recent as ValueList) = second.values[entry: "recent"] else {
      Issue.record("no list was kept")
      return
    }
    #expect(recent.count == 3 && recent[2] == 1)
    try recent.append("more")
    #expect(try contents().contains("more"))
    #expect(!second.hasUnappliedChanges)
    second.revertToInitialValues()
    #expect(try contents() == "{}\n")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/deep")
    #expect(left == ["settings.json"])
  }

  @Test func `changes wait for save, and revert takes them back`() throws {
    defer { leave() }
    let settings = SettingsController(path: path, initialValues: ["theme": "dark"])
    settings.appliesImmediately = false
    settings.values[entry: "theme"] = "light"
    #expect(settings.hasUnappliedChanges)
    #expect(!FileManager.default.fileExists(atPath: path))
    settings.revert()
    #expect(settings.values[entry: "theme"] == "dark" && !settings.hasUnappliedChanges)
    settings.values[entry: "theme"] = "light"
    try settings.save()
    #expect(try contents().contains("light") && !settings.hasUnappliedChanges)
    settings.values[entry: "theme"] = "blue"
    settings.appliesImmediately = true
    #expect(try contents().contains("blue"))
  }

  @Test(arguments: [
    ("{ \"a\": 1, oops }", "1:11"), ("", "1:1"), ("[1]", "1:1"), ("{\n  \"a\": tru\n}", "2:8"),
    ("{ \"a\": 1 } x", "1:12"), ("{ \"a\": \"\\q\" }", "1:10"), ("{ \"a\": 01e }", "1:8"),
  ])
  func `a broken file is reported with its place, and kept aside`(
    text: String, place: String
  ) throws {
    defer { leave() }
    try FileManager.default.createDirectory(
      atPath: folder + "/deep", withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    BindingTable.current.clearErrors()
    let settings = SettingsController(path: path, initialValues: ["theme": "dark"])
    let error = try #require(BindingTable.current.errors.last)
    #expect(error.code == .settings)
    #expect(error.location?.description == "settings.json:\(place)")
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
    #expect(BindingTable.current.errors.last?.message.contains("no file") == true)
    #expect(BindingTable.current.errors.last?.message.contains(folder) == false)
    settings.values[entry: "a"] = 1
    #expect(throws: TideError.self) { try settings.save() }
  }

  @Test func `a value that no file can hold is left out, by name`() throws {
    defer { leave() }
    let settings = SettingsController(path: path)
    settings.appliesImmediately = false
    settings.values[entry: "good"] = 1
    settings.values[entry: "odd"] = .number(.nan)
    let error = #expect(throws: TideError.self) { try settings.save() }
    #expect(error?.message.contains("\"odd\"") == true)
    #expect(try contents().contains("good"))
  }

  @Test func `what was written is read back the same`() throws {
    var random = SeededGenerator("settings")
    for _ in 0..<200 {
      let dictionary = DictionaryObject()
      for number in 0..<Int.random(in: 0..<6, using: &random) {
        dictionary[entry: "k\(number)\"\\\u{e9}"] = value(&random, depth: 0)
      }
      var writer = JSONWriter()
      writer.write(entries: dictionary.keys.map { ($0.text, dictionary[$0]) })
      let read = try JSONReader.read(Array(writer.text.utf8), file: "x")
      guard case .object(let again as DictionaryObject) = read else {
        Issue.record("\(writer.text) is no object")
        continue
      }
      var other = JSONWriter()
      other.write(entries: again.keys.map { ($0.text, again[$0]) })
      #expect(other.text == writer.text)
      // Cut anywhere, it is refused or read, and never worse.
      for end in 0..<writer.text.utf8.count {
        _ = try? JSONReader.read(Array(writer.text.utf8.prefix(end)), file: "x")
      }
    }
  }

  private func value(_ random: inout SeededGenerator, depth: Int) -> Value {
    switch Int.random(in: 0..<(depth < 3 ? 7 : 5), using: &random) {
    case 0: .integer(Int.random(in: Int.min...Int.max, using: &random))
    case 1: .number(Double.random(in: -1e20...1e20, using: &random) + 0.5)
    case 2: .boolean(Bool.random(using: &random))
    case 3: .null
    case 4:
      .string(String((0..<5).map { _ in "a\n\"\\\u{1}é😀".randomElement(using: &random) ?? "b" }))
    case 5:
      .object(ValueList((0..<3).map { _ in value(&random, depth: depth + 1) }))
    default: .object(DictionaryObject(["x": value(&random, depth: depth + 1)]))
    }
  }
}
