import Testing

@testable import TideTest

@Suite struct `The clock of specs` {
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
}
