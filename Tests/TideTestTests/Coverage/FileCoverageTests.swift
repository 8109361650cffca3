import TideLua
import Testing

@testable import TideTest

@Suite struct `The coverage of a file` {
  private func coverage(_ text: String, _ counts: [UInt32]) throws -> FileCoverage {
    try FileCoverage("a.lua", SpecFile("a.lua", Array(text.utf8)), counts, LuaState())
  }

  @Test func `remarks, empty lines and ends are no lines`() throws {
    let file = try coverage(
      """
      -- a remark

      local function f(x)
        if x then
          return 1
        else -- or
          return 2
        end
      end
      for _ = 1, 2 do
        f(_)
      end
      while f() do
      end
      return { f,
        f, }
      """, [])
    #expect(file.lines.map(\.number) == [4, 5, 7, 10, 11, 13, 15, 16])
  }

  @Test func `Windows's line ends part lines, too`() throws {
    let file = try coverage("local a = 1\r\nif a then\r\n  a = 2\r\nend\r\n", [0, 1, 1, 1])
    #expect(file.lines.map(\.number) == [1, 2, 3])
    #expect(file.text.prefix(3) == ["local a = 1", "if a then", "  a = 2"])
  }

  @Test func `lines that did not run are given in stretches`() throws {
    let file = try coverage("a = 1\nb = 2\n\nc = 3\nd = 4\ne = 5", [0, 1, 0, 0, 0, 7])
    #expect(file.missedLines == "2-4, 6")
    #expect(file.hits == 2)
    #expect(file.misses == 3)
  }

  @Test func `counts add up without overflow`() {
    var counts: [UInt32] = [0, 1, .max]
    counts.add([0, 2, 5, 3])
    #expect(counts == [0, 3, .max, 3])
  }
}
