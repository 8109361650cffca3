import Fuzzing
import Testing
import TideGraph

@testable import TideBindings

/// Random worlds of bindings with random edits, compared with a model after each.
@Suite struct BindingFuzzTests {
  static func fault(_ input: [UInt8], log: Bool = false) -> String? {
    let registry = BindingTable.current.transformers
    registry.register("twice", Transformer<Int?, Int?> { (value: Int?) in value.map { $0 * 2 } })
    return BindingWorld(log: log).run(input)
  }

  @Test func `what was found before is well`() {
    for (file, input) in FuzzRun.found(by: "bindings") {
      let fault = Self.fault(input)
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `random worlds hold what the model says`() {
    var random = SeededGenerator("binding fuzz")
    var run = FuzzRun("bindings", stepsInSuite: 300)
    guard
      let found = run.firstFault(sizes: 20...600, using: &random, { Self.fault($0) })
    else { return }
    Issue.record("\(Self.fault(found.input, log: true) ?? found.text)")
  }
}
