import Testing
import TideScript

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
}
