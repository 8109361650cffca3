import Foundation
import Fuzzing
import Testing

extension TerminalSuites {
  /// Random keys, mouse, pastes and sizes against every example.
  @Suite struct MonkeyTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Corpus")

    @Test func `what a monkey found before is well`() {
      for (file, input) in FuzzRun.found(by: "views", in: Self.corpus) {
        let fault = Monkey.play(input)
        #expect(fault == nil, "\(file)")
      }
    }

    @Test func `whatever a monkey does, the terminal shows what the app is`() {
      var random = SeededGenerator(seed: FuzzRun.seed(of: "views"))
      var run = FuzzRun("views", corpus: Self.corpus, stepsInSuite: 14)
      // Each app has its turn, also in a short run.
      var app = UInt8.random(in: 0...255, using: &random)
      while run.goesOn() {
        let count = Int.random(in: 10...200, using: &random)
        let input = [app] + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        app &+= 1
        run.note(input)
        guard let fault = Monkey.play(input) else { continue }
        let short = ByteSource.shortened(input) { Monkey.play($0) != nil }
        Issue.record("\(Monkey.play(short) ?? fault)")
        run.save(short)
        return
      }
    }
  }
}
