import TestFolders
import TideBindings
import TideGraph
import TideScript
import TideValues
import Testing

@testable import TideCheck

/// The interpreter knows the line of a call. The check knows where in the call the mistake is.
@Suite struct `A mistake with which a script fails` {
  private static let fruit = """
    local fruit = model "fruit" { name = "fig", count = 1 }
    local fruits = list { { name = "fig" } }

    """

  /// The first error of an app whose script has one mistake, at `^^`, and what the check says to it.
  private func found(
    _ marked: String, in folder: ScratchFolder? = nil
  ) throws -> (code: TideError.Code, line: Int, column: Int?, expected: (line: Int, column: Int))? {
    let parts = (Self.fruit + marked).split(separator: "^^", omittingEmptySubsequences: false)
    let before = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    let folder = try folder ?? ScratchFolder()
    let file = folder.write(parts.joined(), to: "app.lua")
    let runtime = try Runtime(file: file)
    var failure: TideError?
    do { try runtime.load() } catch { failure = error as? TideError }
    runtime.settle()
    let error = try #require(failure ?? runtime.errors.first)
    guard let mistake = MistakeLocator({ try ScriptCheck() }).mistake(of: error) else { return nil }
    return (
      mistake.code, mistake.location.line, mistake.location.column,
      (before.count, (before.last?.utf8.count ?? 0) + 1)
    )
  }

  @Test(arguments: [
    (
      "return view.row {\n  view.label {\n    ^^txt = 'x',\n  },\n}", TideError.Code.unknownProperty
    ),
    (
      "return view.label {\n  text = 'x',\n  bindTo = {\n    text = 'fruit.^^nmae',\n  },\n}",
      .unknownProperty
    ),
    (
      "return view.label {\n  bindTo = {\n    text = 'fruit.name | ^^uper' },\n}",
      .unknownTransformer
    ),
    ("return view.label {\n  bindTo = { text = 'fruit.name ^^+' },\n}", .syntax),
    ("return view.label {\n  text = 'x',\n  width = '^^ab',\n}", .wrongType),
    ("return view.stepper {\n  minimum = 1,\n  maximum = ^^'three',\n}", .wrongType),
    ("return view.field {\n  bindTo = {\n    text = '<> ^^frut.name' } }", .unresolvedName),
    (
      "local columns = {\n  { title = 'N', ^^paht = 'name' },\n}\n"
        + "return view.table { items = fruits, columns = columns }", .unknownProperty
    ),
    ("bind('name -> count', fruit, fruit, {\n  ^^falback = 1 })", .badArgument),
    ("show(view.label {\n  text = 'x' })\n^^pirnt(1)", .unknownGlobal),
    ("bind('name -> count', ^^friut, fruit)", .unknownGlobal),
    ("every(^^'a minute', function() end)", .badArgument),
    ("local l = list {}\nl.^^append(1)", .methodCall),
    ("show(view.label {\n  text = string.^^uppper('x') })", .unknownMember),
  ])
  func `has the code and the place that the check reports`(
    script: String, code: TideError.Code
  ) throws {
    let mistake = try #require(try found(script))
    #expect(mistake.code == code)
    #expect(mistake.line == mistake.expected.line)
    #expect(mistake.column == mistake.expected.column)
  }

  @Test(arguments: [
    // A name that is computed, and the same name written elsewhere.
    "local key = 'tx' .. 't'\nlocal o = { [key] = 1 }\nreturn view.label(o)\n^^",
    // A path that is computed, beside a right one.
    "local path = 'fruit.nm' .. 'ae'\nreturn view.label { bindTo = { text = path } }\n^^",
    "error('no property \"name\"')\n^^",
  ])
  func `that the check cannot know has none`(script: String) throws {
    #expect(try found(script) == nil)
  }

  @Test func `is the one of the call that failed, where two calls have it`() throws {
    let mistake = try found(
      """
      local function later()
        return view.label {
          txt = 'x' }
      end
      return view.row {
        view.label {
          ^^txt = 'x' }, later }
      """)
    #expect(mistake?.line == mistake?.expected.line)
  }

  @Test func `is looked for again after the script has changed`() throws {
    let folder = try ScratchFolder()
    let locator = MistakeLocator { try ScriptCheck() }
    var lines: [Int?] = []
    for before in ["", "\n\n"] {
      let file = folder.write("\(before)return view.label {\n  txt = 'x' }\n", to: "app.lua")
      do { try Runtime(file: file).load() } catch let error as TideError {
        lines.append(locator.mistake(of: error)?.location.line)
      }
    }
    #expect(lines == [2, 4])
  }

  /// The error of a misspelt property, in a file of a folder.
  private func failure(in folder: ScratchFolder, after text: String = "") throws -> TideError {
    let file = folder.write("return view.label {\n  txt = 'x' }\n\(text)", to: "app.lua")
    let failure = #expect(throws: TideError.self) { try Runtime(file: file).load() }
    return try #require(failure)
  }

  @Test func `is looked for apart from the graph of the app`() throws {
    let folder = try ScratchFolder()
    let error = try failure(in: folder)
    let app = ObjectIdentifier(Graph.current)
    let others = Guarded<[Bool]>([])
    let locator = MistakeLocator {
      others.withLock { $0.append(ObjectIdentifier(Graph.current) != app) }
      return try ScriptCheck()
    }
    #expect(locator.mistake(of: error)?.location.line == 2)
    #expect(others.withLock { $0 } == [true])
  }

  @Test func `is not looked for in errors of the check itself`() throws {
    let folder = try ScratchFolder()
    let error = try failure(in: folder)
    let inner = Guarded<MistakeLocator?>(nil)
    let locator = MistakeLocator {
      #expect(inner.withLock { $0 }?.mistake(of: error) == nil)
      return try ScriptCheck()
    }
    inner.withLock { $0 = locator }
    #expect(locator.mistake(of: error)?.location.line == 2)
    inner.withLock { $0 = nil }
  }

  @Test func `is not looked for in scripts that take long to check`() throws {
    let folder = try ScratchFolder()
    let error = try failure(in: folder, after: String(repeating: " ", count: 256 << 10))
    let locator = MistakeLocator {
      Issue.record("it is checked")
      return try ScriptCheck()
    }
    #expect(locator.mistake(of: error) == nil)
  }
}
