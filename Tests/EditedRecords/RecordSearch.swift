import Fuzzing
package import TideScript
package import TideViews

/// Plays cases of the law of edited records: those that were found before, and random ones.
///
/// ```swift
/// let search = RecordSearch("records") { runtime, scene, _ in
///   try KeyboardPerson(runtime, scene, TextRenderer())
/// }
/// let fault = search.firstFault(stepsInSuite: 30)
/// ```
package struct RecordSearch {
  /// Makes the person of a case.
  package typealias Maker = (Runtime, Scene, _ input: [UInt8]) throws -> any RecordPerson

  private let name: String
  private let file: String
  private let person: Maker

  /// - Parameter file: one that lies a folder below the target, in whose folder `Corpus` the cases are
  ///   kept.
  package init(_ name: String, file: String = #filePath, person: @escaping Maker) {
    self.name = name
    self.file = file
    self.person = person
  }

  private func play(_ input: [UInt8]) -> String? {
    RecordLaw.play(input) { try person($0, $1, input) }
  }

  /// What is wrong in the first of the kept cases: one for each world, and those that were found.
  package var knownFault: String? {
    let cases = FuzzRun.found(by: name, file: file)
    if cases.isEmpty { return "there are no cases" }
    for (file, input) in cases {
      if let fault = play(input) { return "\(file): \(fault)" }
    }
    return nil
  }

  /// What is wrong in the first random case, which is shortened and kept. The suite plays the same
  /// cases each time.
  package func firstFault(stepsInSuite: Int) -> String? {
    var random = SeededGenerator(
      seed: FuzzRun.seed(of: name, otherwise: FuzzRun.isSearch ? nil : 1))
    var run = FuzzRun(name, stepsInSuite: stepsInSuite, file: file)
    // The first byte chooses the world.
    return run.firstFault(sizes: 40...240, takesTurns: true, using: &random, play)?.text
  }
}
