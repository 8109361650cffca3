import Fuzzing
import OwnThread
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

  // On threads of their own: the bindings, errors and objects of other tests stay on a thread.

  @Test func `what was found before is well`() async throws {
    let faults = try await onOwnThread {
      FuzzRun.found(by: "bindings").compactMap { file, input in
        Self.fault(input).map { "\(file): \($0)" }
      }
    }
    #expect(faults == [])
  }

  @Test func `random worlds hold what the model says`() async throws {
    let found = try await onOwnThread { () -> String? in
      var random = SeededGenerator("binding fuzz")
      var run = FuzzRun("bindings", stepsInSuite: 300)
      let found = run.firstFault(sizes: 20...600, using: &random) { Self.fault($0) }
      return found.map { Self.fault($0.input, log: true) ?? $0.text }
    }
    #expect(found == nil)
  }
}
