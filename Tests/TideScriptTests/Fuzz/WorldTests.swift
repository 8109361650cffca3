import FoundationEssentials
import Fuzzing
import Testing
import TideGraph
import TideScript

/// Random worlds of values that fail, loop, open and close, with all that can follow a value,
/// compared after every step with a model that works everything out anew: `Worlds/values.lua`.
@Suite struct WorldTests {
  private static let text: String = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Worlds/values.lua")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  /// What is wrong after some steps in the world of a seed, nil while all is well.
  private static func fault(seed: Int, steps: Int, skipping skipped: [Int] = []) -> String? {
    do {
      var configuration = Runtime.Configuration(turn: .seconds(120))
      configuration.print = { _ in }
      let runtime = try Runtime(file: "values.lua", configuration: configuration)
      try runtime.register("brokenInvariants") { [unowned runtime] () -> String in
        runtime.graph.brokenInvariants().prefix(5).joined(separator: "; ")
      }
      let set = skipped.map { "[\($0)] = true" }.joined(separator: ", ")
      try runtime.evaluate("seed, steps, skipped = \(seed), \(steps), { \(set) }", as: Value.self)
      try runtime.evaluate(text + "\nreturn nil", as: Value.self)
      let broken = runtime.graph.brokenInvariants()
      return broken.isEmpty ? nil : broken.joined(separator: "\n")
    } catch {
      return "seed \(seed): \(error)"
    }
  }

  /// The fault of a world that is saved as its seed, its number of steps, and the steps to leave
  /// out.
  private static func fault(of input: [UInt8]) -> String? {
    let words = String(decoding: input, as: UTF8.self).split { $0.isWhitespace }
    let numbers = words.compactMap { Int($0) }
    guard numbers.count >= 2 else { return "no world is saved" }
    return fault(seed: numbers[0], steps: numbers[1], skipping: Array(numbers.dropFirst(2)))
  }

  @Test func `agree with a model after every step`() {
    #expect(!Self.text.isEmpty)
    var run = FuzzRun("worlds", stepsInSuite: 30)
    var random = SeededGenerator(seed: FuzzRun.seed(of: "worlds", otherwise: 1))
    while run.goesOn() {
      let input = Array("\(Int.random(in: 0..<1 << 40, using: &random)) 60".utf8)
      run.note(input)
      guard let fault = Self.fault(of: input) else { continue }
      run.save(input)
      Issue.record("\(fault)")
      return
    }
  }

  @Test func `that disagreed with the model once agree`() {
    let found = FuzzRun.found(by: "worlds")
    #expect(!found.isEmpty)
    for (file, input) in found {
      let fault = Self.fault(of: input)
      #expect(fault == nil, "\(file)")
    }
  }
}
