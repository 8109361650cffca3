import Testing

@testable import TideTest

@Suite struct `The coverage of a file` {
  private func coverage(_ text: String, _ counts: [UInt32]) throws -> FileCoverage {
    try FileCoverage("a.lua", SpecFile("a.lua", Array(text.utf8)), counts, CountedLines())
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

  /// What luacov 0.17 says of each line: that it counts (`l`), that it does if it ran (`r`), or never.
  @Test func `lines count as luacov has it`() throws {
    let letters = "-l--lr----rllr-l-rlrrrrr-rr-llllrrr-rr--l------lllrl-r"
    let source = """
      --#!/usr/bin/env lua
      local M = {}
      local function helper(a,
                            b)
        return a +
          b
      end
      local z
      local p, q
      local r =
        "text"
      function M.f(x)
        if x > 1 then
          goto done
        else
          x = 2
        end
        ::done::
        local t = {
          a = 1,
          ["b"] = 2,
          3,
          c = function() return 1 end,
          d = [[
            long
          ]],
        }
        repeat
          x = x - 1
        until x < 3
        while true do break end
        return helper(
          x,
          t.a
        )
      end
      M.g = function()
        local s = [[
         long
         text
        ]]
        return s -- luacov: disable
      end
      local hidden = 1
      print(hidden)
      -- luacov: enable
      --[[ a remark
        of lines ]] local after = 1
      local u, v = ("x"):rep(2), 'it\\'s "so"'
      return setmetatable(M, {
        __index = function(_, key)
          return nil
        end,
      })
      """
    let file = SpecFile("a.lua", Array(source.utf8))
    let rules = try CountedLines().find(in: file)
    #expect(String(decoding: rules.map(\.rawValue), as: UTF8.self) == letters)
  }

  @Test func `what has code of its own counts where it ran`() throws {
    let text = "return helper(\n  x,\n  t.a\n)\nlocal z"
    #expect(try coverage(text, [0, 2, 1, 0, 1, 1]).lines.map(\.number) == [1, 2, 4])
    #expect(try coverage(text, []).lines.map(\.number) == [1])
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
