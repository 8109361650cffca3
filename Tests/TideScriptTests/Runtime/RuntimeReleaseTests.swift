import OwnThread
import Testing
import TideBindings

@testable import TideScript

@Suite struct `A runtime that is released` {
  @Test func `takes the functions of its host with it`() throws {
    weak var functions: FunctionTable?
    do {
      let runtime = try Runtime(file: "app.lua")
      try runtime.register("half") { (n: Int) in n / 2 }
      functions = runtime.functions
      #expect(try runtime.evaluate("half(8)", as: Int.self) == 4)
      #expect(functions != nil)
    }
    #expect(functions == nil)
  }

  @Test(arguments: [
    "observe(fruit, 'n', function() begin() end) fruit.n = 1",
    "effect(function() if fruit.n == 1 then begin() end end) fruit.n = 1",
    "after(0, begin) sleep(0.01)",
    "spawn(function() begin() sleep(1) end)",
    "begin()",
  ])
  func `takes contexts with it that a script began and never finished`(script: String) async throws
  {
    let released = try await onOwnThread {
      let runtime = try Runtime(file: "app.lua")
      try runtime.evaluate(
        """
        fruit = object { n = 0 }
        function begin() for i = 1, 10 do context.begin("c" .. i) end began = true end
        \(script)
        """, as: Value.self)
      #expect(try runtime.evaluate("began", as: Bool?.self) == true)
      return Released(runtime.table)
    }
    // The graph of a thread that has ended goes when the next one looks.
    let end = ContinuousClock.now + .seconds(10)
    while released.table != nil, ContinuousClock.now < end {
      try await onOwnThread { _ = BindingContext() }
    }
    #expect(released.table == nil)
  }

  /// Crosses threads to be looked at where nothing uses it any more.
  private final class Released: @unchecked Sendable {
    weak var table: BindingTable?
    init(_ table: BindingTable) { self.table = table }
  }
}
