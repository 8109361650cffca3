import FoundationEssentials
import Testing

@testable import TideTest

@Suite struct `Reports written in Lua` {
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
}
