import FoundationEssentials
import Testing

@testable import TideTest

/// What a spec can do beyond busted's words.
@Suite struct `Specs of scripts` {
  private func passes(
    _ spec: String, _ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation,
    _ configure: (inout TestOptions) -> Void = { _ in }
  ) throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", spec)
    let result = try folder.run("TAP", configure)
    #expect(result.isGood, "\(result.text)", sourceLocation: sourceLocation)
    #expect(result.tests.count == count, "\(result.text)", sourceLocation: sourceLocation)
  }

  private func fails(
    _ spec: String, with text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", spec)
    let result = try folder.run()
    #expect(!result.isGood, sourceLocation: sourceLocation)
    #expect(result.text.contains(text), "\(result.text)", sourceLocation: sourceLocation)
  }

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

  @Test func `a test begins at a whole second, so that its sums are exact`() throws {
    try passes(
      """
      it('ends at 0.3', function() clock.advance(0.1) clock.advance(0.2) end)
      it('begins at 1', function()
        assert.equal(1, clock.now())
        clock.advance(0.5)
        assert.equal(1.5, clock.now())
      end)
      """, 2)
  }

  @Test func `eventually looks at the moment of each timer`() throws {
    try passes(
      """
      it('counts beats', function()
        local beats = 0
        every(0.375, function() beats = beats + 1 end)
        assert.eventually(function() return beats == 8 end)
        assert.equal(3, clock.now())
        assert.is_not.eventually(function() return beats < 0 end, 1)
        assert.equal(4, clock.now())
      end)
      it('is content where nothing waits', function()
        assert.is_not.eventually(function() return false end, 0.5)
        assert.equal(4.5, clock.now())
      end)
      """, 2)
  }

  @Test func `a timer of all tests keeps its time between them`() throws {
    try passes(
      """
      local beats = 0
      setup(function() every(0.4, function() beats = beats + 1 end) end)
      it('ends at 0.5', function() clock.advance(0.5) end)
      it('goes on there', function()
        assert.equal(0.5, clock.now())
        assert.equal(1, beats)
      end)
      """, 2)
  }

  @Test func `the clock moves when it is told to`() throws {
    try passes(
      """
      it('advances', function()
        local seen = {}
        after(2, function() seen[#seen + 1] = 'two' end)
        after(1, function() seen[#seen + 1] = 'one' end)
        local start = clock.now()
        clock.advance(1.5)
        assert.same({ 'one' }, seen)
        clock.advance(0.5)
        assert.same({ 'one', 'two' }, seen)
        assert.equal(2, clock.now() - start)
      end)
      """)
    try fails("it(function() clock.advance(-1) end)", with: "0 or more")
  }

  @Test func `tests and hooks may wait`() throws {
    try passes(
      """
      local log = {}
      before_each(function() sleep(1) log[#log + 1] = 'before' end)
      it('sleeps for hours', function()
        local start = clock.now()
        sleep(7200)
        assert.equal(7200, clock.now() - start)
      end)
      it('awaits', function()
        assert.equal(42, await(spawn(function() sleep(5) return 42 end)))
        assert.equal(2, #log)
      end)
      """, 2)
  }

  @Test func `async and done work`() throws {
    try passes(
      """
      it('is done later', function() async() after(5, done) end)
      it('is done at once', function() async() done() end)
      describe('in hooks', function()
        local isReady
        before_each(function() async() after(1, function() isReady = true done() end) end)
        it('is waited for', function() assert.is_true(isReady) end)
      end)
      """, 3)
    try fails("it(function() async() end)", with: "done() was not called")
    try fails(
      "it(function()\n async() after(1, function() error 'late' end) end)",
      with: "a_spec.lua:2: late")
  }

  @Test func `a test that waits for ever fails`() throws {
    try fails(
      "it(function() local t t = spawn(function() while true do sleep(1) end end) await(t) end)",
      with: "not ok 1")
    try fails(
      "it(function()\n  while true do\n    sleep(9000)\n  end\nend)",
      with: "a_spec.lua:3: it waits for more than a day of the test's clock")
  }

  @Test func `a test that waits for more than a day fails`() throws {
    try fails("it(function() sleep(86400 * 2) end)", with: "for more than a day")
    try passes("it(function() clock.advance(86400 * 9) sleep(86400) end)")
  }

  @Test func `what has failed is not waited for`() throws {
    try fails(
      """
      it(function()
        async()
        after(1, function() error 'early' end)
        every(1, function() assert(clock.now() < 60, 'it went on') end)
      end)
      """, with: "a_spec.lua:3: early")
  }

  @Test func `an assertion that fails in a task fails its test, also one that never waits`() throws
  {
    try fails(
      "it(function()\n spawn(function() assert.equal(1, 2) end) end)",
      with: "a_spec.lua:2: Expected objects to be equal.")
    try passes("it(function() pcall(await, spawn(function() assert.equal(1, 2) end)) end)")
  }

  @Test func `pending in a timer passes its test over`() throws {
    let folder = try SpecFolder()
    try folder.write(
      "a_spec.lua",
      "it('x', function() async() after(1, function() pending 'later' end) end)")
    let result = try folder.run()
    #expect(result.isGood, "\(result.text)")
    #expect(result.tests == ["ok 1 - # SKIP later"], "\(result.text)")
  }

  @Test func `an assertion that fails in a timer fails its test`() throws {
    try fails(
      "it(function()\n after(1, function() assert.equal(1, 2) end) clock.advance(1) end)",
      with: "a_spec.lua:2: Expected objects to be equal.")
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

  @Test func `helpers and statements run before each file, and hear of its tests`() throws {
    let folder = try SpecFolder()
    for name in ["a", "b"] {
      try folder.write("\(name)_spec.lua", "it('\(name)', function() print(helped, stated) end)")
    }
    let helper = try folder.write(
      "help.lua",
      """
      helped = table.concat(arg, ' ')
      require('busted').subscribe({ 'test', 'start' }, function(element, parent)
        print(element.name, parent.name and 'in a file')
      end)
      """)
    let result = try folder.run {
      $0.helper = helper
      $0.helperArguments = ["x", "y"]
      $0.statements = ["stated = true"]
    }
    #expect(
      result.text
        == "a\tin a file\nx y\ttrue\nok 1 - a\nb\tin a file\nx y\ttrue\nok 2 - b\n1..2\n")
  }

  @Test func `a helper that gives a function is given what it adds words with`() throws {
    let folder = try SpecFolder()
    try folder.write(
      "a_spec.lua", "feature('f', function() it('x', function() assert.equal(42, answer) end) end)")
    let helper = try folder.write(
      "help.lua",
      """
      return function(busted, helper, options)
        print(helper:match '[^/]*$', options.arguments[1], busted.executors.it ~= nil)
        busted.register('feature', 'describe')
        busted.export('answer', 42)
        busted.subscribe({ 'test', 'start' }, function(element) print(element.name) end)
        return true
      end
      """)
    let result = try folder.run {
      $0.helper = helper
      $0.helperArguments = ["given"]
    }
    #expect(result.text == "help.lua\tgiven\ttrue\nx\nok 1 - f x\n1..1\n")
    try folder.write("help.lua", "return function() return nil, 'no good' end")
    let error = #expect(throws: TestSetupError.self) { try folder.run { $0.helper = helper } }
    #expect("\(String(describing: error))".contains("help.lua failed: no good"))
  }

  @Test func `what asks for busted's modules without loading them finds them`() throws {
    let folder = try SpecFolder()
    try folder.write(
      "a_spec.lua",
      """
      it('x', function()
        local busted = package.loaded.busted
        assert(busted and busted.publish and package.loaded.luassert and package.loaded['luassert.spy'])
        assert(package.loaded.nothing == nil)
        assert.equal('Expected objects to be the same.', require 'say'('assertion.same.positive'):sub(1, 32))
      end)
      """)
    #expect(try folder.run().tests == ["ok 1 - x"])
  }

  @Test func `output handlers add to the usual reports`() throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", "it('x', function() print 'printed' end)")
    let handler = try folder.write(
      "out.lua",
      """
      return function(options)
        local handler = require 'busted.outputHandlers.TAP'(options)
        require 'busted.outputHandlers.junit'(options):subscribe(options)
        require 'busted'.subscribe({ 'suite', 'end' }, function() print(handler.successesCount) end)
        return handler
      end
      """)
    let file = folder.path + "/out.xml"
    let result = try folder.run(handler) { $0.outputArguments = [file] }
    #expect(result.text == "printed\nok 1 - x\n1..1\n1\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("<testcase"))
    let failing = try folder.run(handler) { $0.outputArguments = ["nowhere/at/all.xml"] }
    #expect(!failing.isGood && failing.complaints.count == 1)
  }

  @Test func `lists of names have no headings`() throws {
    let folder = try SpecFolder()
    try folder.write("a_spec.lua", "describe('d', function() it('x', function() end) end)")
    for report in ["gtest", "TAP", "plainTerminal"] {
      let result = try folder.run(report) { $0.listsOnly = true }
      #expect(result.text.hasPrefix("a_spec.lua:1: d x\n"))
    }
  }

  @Test func `output handlers written in Lua are told of everything`() throws {
    let folder = try SpecFolder()
    try folder.write(
      "a_spec.lua",
      """
      describe('d', function()
        it('passes', function() print 'printed' end)
        it('fails', function() assert.is_true(false) end)
        it('errs', function() error 'x' end)
        pending 'waits'
      end)
      """)
    let handler = try folder.write(
      "out.lua",
      """
      return function(options)
        local busted = require 'busted'
        local handler = require 'busted.outputHandlers.base'()
        function handler.testEnd(element, parent, status)
          io.write(handler.getFullName(element), ' ', status, '\\n')
          return nil, true
        end
        function handler.suiteEnd()
          print(handler.successesCount, handler.failuresCount, handler.errorsCount,
            handler.pendingsCount, options.arguments[1])
          return nil, true
        end
        busted.subscribe({ 'test', 'end' }, handler.testEnd, { predicate = handler.cancelOnPending })
        busted.subscribe({ 'suite', 'end' }, handler.suiteEnd)
        return handler
      end
      """)
    let result = try folder.run(handler) { $0.outputArguments = ["given"] }
    #expect(
      result.text == """
        printed
        d passes success
        d fails failure
        d errs error
        d waits pending
        1\t1\t1\t1\tgiven

        """)
    #expect(result.complaints.isEmpty)
  }

  @Test func `the file .busted gives defaults, runs by name, and what holds for all`() throws {
    let folder = try SpecFolder()
    let file = try folder.write(
      ".busted",
      """
      return {
        _all = { verbose = true, tags = { "a,b", "c" } },
        default = { ROOT = { "spec" } },
        slow = { tags = "slow", ["repeat"] = "2" },
        wrong = { verbose = 3 },
      }
      """)
    let configuration = try #require(try BustedConfiguration.find(nil, in: folder.path))
    var options = TestOptions()
    try configuration.apply(to: &options, run: nil)
    #expect(options.isVerbose && options.tags == ["a", "b", "c"] && options.roots == ["spec"])
    options = TestOptions()
    try configuration.apply(to: &options, run: "slow")
    #expect(options.tags == ["slow"] && options.repeats == 2 && options.roots.isEmpty)
    #expect(throws: TestSetupError.self) { try configuration.apply(to: &options, run: "fast") }
    #expect(throws: TestSetupError.self) { try configuration.apply(to: &options, run: "wrong") }
    #expect(throws: TestSetupError.self) { try BustedConfiguration.find("nowhere", in: ".") }
    for text in ["return 1", "x = =", "error 'x'"] {
      try folder.write(".busted", text)
      #expect(throws: TestSetupError.self) { try BustedConfiguration.find(file, in: ".") }
    }
  }
}
