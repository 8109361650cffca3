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
    for (file, input) in FuzzRun.found(by: "bindings", in: Corpus.folder) {
      let fault = Self.fault(input)
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `random worlds hold what the model says`() {
    var random = SeededGenerator("binding fuzz")
    var run = FuzzRun("bindings", corpus: Corpus.folder, stepsInSuite: 300)
    while run.goesOn() {
      let input = (0..<Int.random(in: 20...600, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      run.note(input)
      guard let fault = Self.fault(input) else { continue }
      let short = ByteSource.shortened(input) { Self.fault($0) != nil }
      let shorter = Self.fault(short, log: true)
      Issue.record("\(shorter ?? fault)")
      _ = run.save(short)
      return
    }
  }
}
