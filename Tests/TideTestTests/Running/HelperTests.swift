import Testing

@testable import TideTest

@Suite struct `Helpers of specs` {
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
}
