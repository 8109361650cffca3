import Testing

@testable import TideTest

/// What a spec can do beyond busted's words.
@Suite struct `Specs of scripts` {
  @Test func `strings have their metatable, and the interpreter its name`() throws {
    try passes(
      """
      it('adds an operator', function()
        getmetatable('').__mod = string.format
        assert.equal('a 1', 'a %d' % 1)
        assert.equal(string, getmetatable('').__index)
        assert.equal('lua', arg[-1])
      end)
      """)
  }

  @Test func `an installed library comes before the stand-in`() throws {
    let folder = try SpecFolder()
    try folder.write("mine/term.lua", "return 'mine'")
    try folder.write("mine/luassert.lua", "error('not this one')")
    try folder.write(
      "a_spec.lua",
      """
      it('finds both', function()
        assert.equal('mine', require 'term')
        assert.is_table(require 'term.colors')
        assert.equal(assert, require 'luassert')
      end)
      """)
    let result = try folder.run { $0.modulePath = folder.path + "/mine/?.lua" }
    #expect(result.isGood, "\(result.text)")
  }

  @Test func `what a spec has loaded is known`() throws {
    let folder = try SpecFolder()
    for name in ["one", "two", "three"] { try folder.write("\(name).lua", "return 1") }
    try folder.write("bad.lua", "return return")
    try folder.write(
      "a_spec.lua",
      """
      it('loads', function()
        require 'one'
        dofile '\(folder.path)/two.lua'
        loadfile '\(folder.path)/three.lua'
        pcall(require, 'bad')
      end)
      """)
    try folder.write("b_spec.lua", "it('loads', function() require 'one' end)")
    let trail = FileTrail()
    let result = try folder.run {
      $0.modulePath = folder.path + "/?.lua"
      $0.trail = trail
    }
    #expect(result.isGood, "\(result.text)")
    let names = ["one", "two", "three", "bad"].map { "\(folder.path)/\($0).lua" }
    #expect(trail.files == Set(names))
    let specs = ["a", "b"].map { "\(folder.path)/\($0)_spec.lua" }
    #expect(trail.specs(reachedBy: [names[0]]) == Set(specs))
    #expect(trail.specs(reachedBy: [names[3]]) == [specs[0]])
    #expect(trail.specs(reachedBy: [specs[1]]) == [specs[1]])
    #expect(trail.specs(reachedBy: ["elsewhere.lua"]).isEmpty)
  }

  @Test func `what a test makes ends with it`() throws {
    try passes(
      """
      local ticks = 0
      it('makes', function()
        every(1, function() ticks = ticks + 1 end)
        model 'fruit' { color = 'red' }
        clock.advance(3)
        assert.equal(3, ticks)
        assert.equal('red', models.fruit.color)
      end)
      it('finds nothing', function()
        clock.advance(3)
        assert.equal(3, ticks)
        assert.is_false(pcall(function() return models.fruit end))
      end)
      """, 2)
  }

  @Test func `context is a block outside of tests, and ours within`() throws {
    try passes(
      """
      context('a block', function()
        it('has tests', function()
          local isOpen
          context('ours', function() isOpen = true end)
          assert.is_true(isOpen)
          context.begin('begun')
          context.finish()
        end)
      end)
      """)
  }

  @Test func `data objects and lists are compared by what is in them`() throws {
    try passes(
      """
      it('compares', function()
        assert.same({ 1, 2, 3 }, list { 1, 2, 3 })
        assert.same({ name = 'apple', tags = { 'red' } }, object { name = 'apple', tags = { 'red' } })
        assert.are_not.same({ 1 }, list { 2 })
      end)
      """)
  }

  @Test func `specs have the whole library, or in the sandbox what apps have`() throws {
    let open =
      "it('reads', function() assert(io.open and os.getenv and debug.getinfo and package.path) end)"
    try passes(open)
    try passes(
      "it('has none', function() assert(debug == nil and dofile == nil) assert.is_nil(package) end)"
    ) { $0.isSandboxed = true }
  }

  @Test func `what is written comes out with its test`() throws {
    let folder = try SpecFolder()
    for name in ["a", "b", "c"] {
      try folder.write(
        "\(name)_spec.lua",
        "it('\(name)', function() print('p', '\(name)') io.write('w') io.stdout:write('s', 1, '\\n') end)"
      )
    }
    let expected = ["a", "b", "c"].enumerated().map {
      "p\t\($0.element)\nws1\nok \($0.offset + 1) - \($0.element)\n"
    }
    for jobs in [1, 3] {
      let result = try folder.run { $0.jobs = jobs }
      #expect(result.text == expected.joined() + "1..3\n")
    }
  }

  @Test func `modules are found by busted's paths and loaded anew for each file`() throws {
    let folder = try SpecFolder()
    try folder.write("src/counter.lua", "local n = 0 return function() n = n + 1 return n end")
    for name in ["a", "b"] {
      try folder.write(
        "\(name)_spec.lua",
        "it('counts', function() assert.equal(1, require('counter')()) end)")
    }
    let result = try folder.run { $0.modulePath = folder.path + "/src/?.lua" }
    #expect(result.isGood, "\(result.text)")
  }

  @Test func `lists of names have no headings`() throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", "describe('d', function() it('x', function() end) end)")
    for report in ["gtest", "TAP", "plainTerminal"] {
      let result = try folder.run(report) { $0.listsOnly = true }
      #expect(result.text.hasPrefix("a_spec.lua:1: d x\n"))
    }
  }
}
