import Testing

@testable import TideTest

@Suite struct `Specs that wait` {
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
}
