import Testing

@testable import TideTest

@Suite struct `Laws of specs` {
  private func run(
    _ spec: String, _ configure: (inout TestOptions) -> Void = { _ in }
  ) throws -> SpecResult {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", spec)
    return try folder.run("TAP", configure)
  }

  private static let random = """
    it('other', function() end)
    it('falls', function()
      local seen = {}
      pcall(forall, gen.integer(), function(n) seen[#seen + 1] = n end)
      error(table.concat(seen, ' '))
    end)
    """

  @Test func `the same seed gives the same values, also to a test alone`() throws {
    let first = try run(Self.random) { $0.seed = 42 }
    let again = try run(Self.random) { $0.seed = 42 }
    #expect(first.text == again.text)
    let other = try run(Self.random) { $0.seed = 43 }
    #expect(first.text != other.text)
    let alone = try run(Self.random) { ($0.seed, $0.filters) = (42, ["falls"]) }
    let values = first.text.split(separator: "\n").first { $0.contains("a_spec.lua:5") }
    #expect(values != nil)
    #expect(alone.text.contains(values ?? "none"))
  }

  @Test func `the seed that is printed repeats a failure`() throws {
    let spec = "it('falls', function() forall(gen.integer(), function(n) return n < 70 end) end)"
    let first = try run(spec)
    let seed = try #require(first.text.firstMatch(of: /--seed (\d+)/)?.1)
    let again = try run(spec) { $0.seed = Int(seed) }
    #expect(first.text == again.text)
    #expect(first.text.contains("(number) 70"))
  }

  @Test func `a function that does not return is stopped, and it says with what`() throws {
    let result = try run(
      """
      it('hangs', function()
        forall(gen.integer(5, 5), function() while true do end end)
      end)
      it('goes on', function() end)
      """
    ) { $0.timeLimit = 0.5 }
    #expect(result.text.contains("it ran for more than 0.5 seconds"), "\(result.text)")
    #expect(result.text.contains("while a law was tried with"), "\(result.text)")
    #expect(result.text.contains("(number) 5"))
    #expect(result.tests.last?.hasPrefix("ok") == true)
  }

  @Test func `a slow law is told of before its test is stopped`() throws {
    let result = try run(
      """
      \(hostFinder)
      local host = host_of(it)
      it('is slow', function()
        local time, calls = 0, 0
        -- A second for each look at the clock, of which a test has sixty.
        host.monotime = function() time = time + 1 return time end
        local isGood = pcall(forall, gen.list(gen.integer(), { min = 20 }), function()
          calls = calls + 1
          return false
        end)
        assert.is_false(isGood)
        assert.equal(31, calls)
      end)
      """)
    #expect(result.isGood, "\(result.text)")
  }

  @Test func `a failing law is a failure, at the line of the spec`() throws {
    let result = try run("it('falls',\n function()\n  forall(gen.boolean(), error)\n end)")
    #expect(
      result.text.contains("a_spec.lua:3: It does not hold in the first run"), "\(result.text)")
  }

  @Test func `what specs and helpers call the same comes first`() throws {
    let result = try run(
      """
      _G.gen = 'mine'
      local ui = { mount = function() return 'my own' end }
      it('is', function()
        assert.equal('mine', gen)
        assert.equal('my own', ui.mount())
      end)
      """)
    #expect(result.isGood, "\(result.text)")
  }

  @Test func `the words are there in the sandbox`() throws {
    let folder = try SpecFolder()
    try folder.write("app.lua", "local m = require 'parts.m'\nreturn view.label { text = m.text }")
    try folder.write("parts/m.lua", "return { text = 'sandboxed' }")
    try folder.write(
      "spec/a_spec.lua",
      """
      for _ = 1, 2 do
        it('works', function()
          ui.mount 'app.lua'
          assert.equal('sandboxed', ui.snapshot())
          forall(gen.integer(), function(n) return n == n end)
          assert.lawful('scale(2)')
          assert.no_errors()
        end)
      end
      """)
    let result = try folder.run { $0.isSandboxed = true }
    #expect(result.isGood, "\(result.text)")
  }
}
