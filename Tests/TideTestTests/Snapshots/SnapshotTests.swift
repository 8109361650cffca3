import FoundationEssentials
import Glibc
import Testing
import struct TideBindings.TideError

@testable import TideTest

@Suite struct `Snapshots of specs` {
  private let folder: SpecFolder
  private let file: String

  init() throws {
    folder = try SpecFolder()
    file = folder.path + "/spec/__snapshots__/a_spec.snap"
  }

  private func spec(_ text: String) throws { try folder.write("spec/a_spec.lua", text) }

  @Test func `have a limit of volume and of number`() throws {
    let book = SnapshotBook(ofSpec: folder.path + "/spec/a_spec.lua")
    let large = String(repeating: "x", count: SnapshotBook.mostBytes / 4)
    for number in 1...3 { try book.put(large, as: "large \(number)") }
    let error = #expect(throws: TideError.self) { try book.put(large, as: "one more") }
    #expect(error?.message.contains("at most 16 MiB, and \"one more\"") == true, "\(error as Any)")
    try book.put("small", as: "large 1")
    try book.put(large, as: "one more")

    let other = SnapshotBook(ofSpec: folder.path + "/spec/b_spec.lua")
    for number in 1...SnapshotBook.mostTexts { try other.put("", as: "\(number)") }
    let full = #expect(throws: TideError.self) { try other.put("", as: "another") }
    #expect(full?.message.contains("at most 10000 snapshots") == true, "\(full as Any)")
    try other.put("again", as: "7")
  }

  @Test func `are not read from a file that is much too long`() throws {
    try folder.write("spec/__snapshots__/a_spec.snap", "")
    truncate(file, off_t(10 << 30))
    let book = SnapshotBook(ofSpec: folder.path + "/spec/a_spec.lua")
    #expect(book.problem?.contains("has more than 32 MiB") == true, "\(book.problem as Any)")
  }

  private func kept() throws -> String {
    try String(contentsOf: URL(filePath: file), encoding: .utf8)
  }

  private func notices(_ configure: (inout TestOptions) -> Void = { _ in }) throws -> [String] {
    var options = TestOptions()
    options.roots = [folder.path]
    options.timeLimit = 60
    configure(&options)
    let made = try SpecReports.make(options, ReportWriter { _ in }, isTerminal: false) { _ in }
    let run = SuiteRun(options, reporting: made.report)
    _ = try run.run()
    return run.notices.map { $0.replacing(folder.path + "/", with: "") }
  }

  @Test func `a missing one fails and says how to write it`() throws {
    try spec("it('is', function() assert.snapshot('one\\ntwo') end)")
    let result = try folder.run()
    #expect(!result.isGood)
    #expect(
      result.text.contains("There is no snapshot \"is\" in spec/__snapshots__/a_spec.snap"),
      "\(result.text)")
    #expect(result.text.contains("tidelock test -u"))
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `what -u writes passes, and reads well`() throws {
    try spec(
      """
      describe('a', function()
        it('shows', function()
          ui.mount(view.column { view.label { text = 'Hello' }, view.label { text = '' },
            view.label { text = '# no name' } })
          assert.snapshot(ui)
          assert.snapshot(ui, 'again')
          assert.snapshot(ui, 'again')
        end)
        it('keeps all', function()
          assert.snapshot('\\n| bar\\n\\n  blanks  \\n', 'text')
          assert.snapshot('\\27[1m \\255 é\\r\\nline', 'odd')
          assert.snapshot({ b = { 1, 2 }, a = true }, 'value')
          assert.snapshot('', 'nothing')
        end)
      end)
      """)
    let first = try notices { $0.updatesSnapshots = true }
    #expect(first == ["spec/__snapshots__/a_spec.snap: 7 written"])
    let text = try kept()
    #expect(text.contains("\n# a shows\n| Hello\n|\n| # no name\n"), "\(text)")
    #expect(text.contains("\n# a shows: again (2)\n"))
    #expect(text.contains("\n# a keeps all: odd\n| \\x1B[1m \\xFF "), "\(text)")
    let result = try folder.run()
    #expect(result.isGood, "\(result.text)")
    #expect(try notices { $0.updatesSnapshots = true } == [])
    #expect(try kept() == text)
  }

  @Test func `a text's line ends are told apart, whatever those of the file are`() throws {
    try spec("it('is', function() assert.snapshot('a\\r\\nb\\r') end)")
    _ = try notices { $0.updatesSnapshots = true }
    #expect(try kept().contains("\n| a\\x0D\n| b\\x0D\n"))
    try spec("it('is', function() assert.snapshot('a\\nb\\r') end)")
    #expect(try !folder.run().isGood)
    try spec("it('is', function() assert.snapshot('a\\r\\nb\\r') end)")
    try folder.write("spec/__snapshots__/a_spec.snap", try kept().replacing("\n", with: "\r\n"))
    #expect(try folder.run().isGood)
  }

  @Test func `a difference shows the lines`() throws {
    try spec("it('is', function() assert.snapshot('a\\nb\\nc') end)")
    _ = try notices { $0.updatesSnapshots = true }
    try spec("it('is', function() assert.snapshot('a\\nB\\nc') end)")
    let result = try folder.run()
    #expect(!result.isGood)
    #expect(result.text.contains("- b"), "\(result.text)")
    #expect(result.text.contains("+ B"))
    #expect(result.text.contains("a_spec.lua:1: Expected the snapshot"))
    _ = try notices { $0.updatesSnapshots = true }
    #expect(try folder.run().isGood)
  }

  @Test func `those that nothing asks for are mentioned, and go with -u`() throws {
    try spec(
      """
      it('one', function() assert.snapshot(1) end)
      it('two', function() assert.snapshot(2) end)
      """)
    _ = try notices { $0.updatesSnapshots = true }
    #expect(try notices { $0.filters = ["one"] } == [])
    #expect(try notices { ($0.filters, $0.updatesSnapshots) = (["one"], true) } == [])
    #expect(try kept().contains("# two"))
    try spec("it('one', function() assert.snapshot(1) end)\npending('two')")
    #expect(try notices() == [])
    try spec(
      "it('one', function() assert.snapshot(1) end)\ndescribe('two', function() error() end)")
    #expect(try notices { $0.updatesSnapshots = true } == [])
    try spec("it('one', function() assert.snapshot(1) end)")
    #expect(
      try notices() == [
        "spec/__snapshots__/a_spec.snap has snapshots that no test asks for; -u removes them:\n  two"
      ])
    #expect(
      try notices { $0.updatesSnapshots = true } == ["spec/__snapshots__/a_spec.snap: 1 removed"])
    #expect(try !kept().contains("# two"))
    try spec("it('one', function() end)")
    _ = try notices { $0.updatesSnapshots = true }
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `those of a spec that is gone are mentioned, and go with -u`() throws {
    try spec("it('one', function() assert.snapshot(1) end)")
    _ = try notices { $0.updatesSnapshots = true }
    try FileManager.default.moveItem(
      atPath: folder.path + "/spec/a_spec.lua", toPath: folder.path + "/spec/b_spec.lua")
    try folder.write("spec/b_spec.lua", "it('one', function() end)")
    let name = "spec/__snapshots__/a_spec.snap"
    try folder.write("spec/__snapshots__/other.test.js.snap", "// Jest Snapshot v1")
    #expect(try notices() == ["\(name) is of a spec that is gone; -u removes it"])
    #expect(
      try notices { $0.updatesSnapshots = true } == ["\(name): removed, because its spec is gone"])
    #expect(try notices() == [])
  }

  @Test func `a file that cannot be written is an error`() throws {
    try spec("it('one', function() assert.snapshot(1) end)")
    try folder.write("spec/__snapshots__", "no folder")
    let result = try folder.run { $0.updatesSnapshots = true }
    #expect(!result.isGood)
    #expect(result.text.contains("cannot be written: File exists"), "\(result.text)")
  }

  @Test func `not a snapshot`() throws {
    try spec(
      """
      it('one', function()
        assert.snapshot(1)
        assert.has_error(function() assert.is_not.snapshot(1) end)
        assert.has_error(function() assert.snapshot(1, 2) end)
        assert.error_matches(function() assert.snapshot(ui) end, 'nothing is shown')
      end)
      """)
    _ = try notices { $0.updatesSnapshots = true }
    #expect(try kept().contains("# one"))
  }

  private func passes(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let result = try folder.run()
    #expect(result.isGood, "\(result.text)", sourceLocation: sourceLocation)
  }

  @Test func `any character is kept as it is`() throws {
    let spec = """
      local texts = { 'a\\u{2028}b', 'a\\u{85}\\v\\fb', '\\u{301}alone', 'a\\n\\u{301}b', '|', '# x', ' ' }
      for number, text in ipairs(texts) do
        it('is ' .. number, function() assert.snapshot(text) end)
      end
      it('is composed', function() assert.snapshot('%@') end)
      """
    try self.spec(spec.replacing("%@", with: "e\\u{301}"))
    _ = try notices { $0.updatesSnapshots = true }
    try passes()
    // The same to Swift, but other bytes.
    try self.spec(spec.replacing("%@", with: "\\u{E9}"))
    #expect(try !folder.run().isGood)
    _ = try notices { $0.updatesSnapshots = true }
    try passes()
    let text = try kept()
    try folder.write("spec/__snapshots__/a_spec.snap", text.replacing("\n", with: "\r\n"))
    try passes()
  }

  @Test func `what lies in memory has no place in it`() throws {
    try spec(
      """
      it('is', function()
        assert.snapshot { print, setmetatable({}, {}), coroutine.create(print), 'function: x', 0 / 0 }
        assert.snapshot(print)
        assert.snapshot(0 / 0)
      end)
      """)
    _ = try notices { $0.updatesSnapshots = true }
    let text = try kept()
    #expect(!text.contains("0x"), "\(text)")
    #expect(text.contains("# is (2)\n| function\n"), "\(text)")
    #expect(text.contains("# is (3)\n| nan\n"), "\(text)")
  }

  @Test func `nothing of a large value is left out`() throws {
    let spec = """
      it('is', function()
        local many, text = {}, ('x'):rep(9000)
        for number = 1, 300 do many[number] = number end
        many[%@] = 0
        assert.snapshot(list(many))
        assert.snapshot { text .. '%@' }
      end)
      """
    try self.spec(spec.replacing("%@", with: "299"))
    _ = try notices { $0.updatesSnapshots = true }
    try passes()
    try self.spec(spec.replacing("many[%@]", with: "many[298]").replacing("%@", with: "299"))
    #expect(try !folder.run().isGood)
    try self.spec(spec.replacing("many[%@]", with: "many[299]").replacing("%@", with: "298"))
    #expect(try !folder.run().isGood)
  }

  @Test func `two tests of one name cannot have two texts`() throws {
    try spec(
      """
      it('is', function() assert.snapshot 'one' end)
      it('is', function() assert.snapshot 'two' end)
      it('is', function() assert.snapshot 'one' end)
      """)
    let written = try folder.run { $0.updatesSnapshots = true }
    #expect(written.tests == ["ok 1 - is", "not ok 2 - is", "ok 3 - is"], "\(written.text)")
    #expect(written.text.contains("Another test has the snapshot \"is\""))
    let result = try folder.run()
    #expect(result.tests == ["ok 1 - is", "not ok 2 - is", "ok 3 - is"], "\(result.text)")
    #expect(result.text.contains("Another test has a snapshot of this name"))
  }

  @Test func `the marks of a merge are noticed`() throws {
    try spec(
      "it('one', function() assert.snapshot(1) end)\nit('two', function() assert.snapshot(2) end)")
    _ = try notices { $0.updatesSnapshots = true }
    let text = try kept()
    try folder.write(
      "spec/__snapshots__/a_spec.snap",
      text.replacing("| 2", with: "<<<<<<< HEAD\n| 3\n=======\n| 2\n>>>>>>> other"))
    let result = try folder.run()
    #expect(!result.isGood)
    #expect(
      result.text.contains(
        "spec/__snapshots__/a_spec.snap:7: \"<<<<<<< HEAD\" is not a line of a snapshot"),
      "\(result.text)")
    let done = try notices { $0.updatesSnapshots = true }
    #expect(done == ["spec/__snapshots__/a_spec.snap: 1 written, mended"])
    #expect(try kept() == text)
  }
}
