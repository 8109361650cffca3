import Testing

@testable import TideTest

@Suite struct `Tests of a line` {
  @Test func `tests are chosen by their lines`() throws {
    let folder = try SpecFolder()
    let file = try folder.write(
      "a_spec.lua",
      """
      describe('d', function()
        it('one', function()
        end)

        it('two', function() end)
      end)
      it('three', function() end)
      """)
    func tests(_ line: Int) throws -> [String] {
      try folder.run { $0.setRoots(["\(file):\(line)"]) }.tests
    }
    #expect(try tests(3) == ["ok 1 - d one"])
    #expect(try tests(5) == ["ok 1 - d two"])
    #expect(try tests(1) == ["ok 1 - d one", "ok 2 - d two"])
    #expect(try tests(4) == ["ok 1 - d one", "ok 2 - d two"])
    #expect(try tests(7) == ["ok 1 - three"])
  }

  @Test func `a line with its column, a file beside its lines, and lines that are not there`()
    throws
  {
    let folder = try SpecFolder()
    let file = try folder.write(
      "a_spec.lua", "it('one', function() end)\nit('two', function() end)\n")
    func run(_ roots: String...) throws -> SpecResult {
      try folder.run { $0.setRoots(roots) }
    }
    #expect(try run("\(file):2:7").tests == ["ok 1 - two"])
    #expect(try run("\(file):2", file).tests == ["ok 1 - one", "ok 2 - two"])
    #expect(try run(file, "\(file):2").tests == ["ok 1 - one", "ok 2 - two"])
    for line in ["0", "-1", "3", "3:1"] {
      let result = try run("\(file):\(line)")
      #expect(!result.isGood)
      #expect(result.text.contains("there is no line"), "\(result.text)")
      #expect(result.tests.count == 1, "\(result.text)")
    }
    let whole = try run("\(folder.path):2")
    #expect(whole.text.contains("is a folder: there is no line 2"), "\(whole.text)")
  }
}
