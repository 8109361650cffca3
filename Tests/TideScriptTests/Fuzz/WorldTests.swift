import FoundationEssentials
import Testing
import TideGraph
import TideScript

/// Random worlds of values that fail, loop, open and close, with all that can follow a value, compared
/// after every step with a model that works everything out anew: `Worlds/values.lua`.
@Suite struct WorldTests {
  private static let text: String = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Worlds/values.lua")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  /// What is wrong after some steps in the world of a seed, nil while all is well.
  private static func fault(seed: Int, steps: Int) -> String? {
    do {
      var configuration = Runtime.Configuration(turn: .seconds(120))
      configuration.print = { _ in }
      let runtime = try Runtime(path: "values.lua", configuration: configuration)
      try runtime.evaluate("seed, steps = \(seed), \(steps)")
      try runtime.evaluate(text + "\nreturn nil")
      let broken = runtime.graph.brokenInvariants()
      return broken.isEmpty ? nil : broken.joined(separator: "\n")
    } catch {
      return "seed \(seed): \(error)"
    }
  }

  @Test(arguments: 0..<30)
  func `agree with a model after every step`(seed: Int) {
    #expect(!Self.text.isEmpty)
    let fault = Self.fault(seed: seed, steps: 40)
    #expect(fault == nil)
  }
}
