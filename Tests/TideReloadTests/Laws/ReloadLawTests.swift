import Foundation
import Fuzzing
import Testing

/// Random people at the keyboard, and random saves meanwhile, in two runs that must come to the same.
@Suite("The laws of reload") struct ReloadLawTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Corpus")

  @Test func `hold for what was found before`() {
    for (file, input) in FuzzRun.found(by: "reload", in: Self.corpus) {
      let fault = LawPlay.play(input)
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `hold for whatever is done and saved`() {
    // In the suite the same people each time, so that it tells of the change at hand.
    let isFuzzing = getenv("TIDELOCK_FUZZ_SECONDS") != nil
    let seed = FuzzRun.seed(of: "reload", otherwise: isFuzzing ? nil : 1)
    var random = SeededGenerator(seed: seed)
    var run = FuzzRun("reload", corpus: Self.corpus, stepsInSuite: 10)
    // Each app has its turn, also in a short run.
    var app = UInt8.random(in: 0...255, using: &random)
    while run.goesOn() {
      let count = Int.random(in: 10...160, using: &random)
      let input = [app] + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      app &+= 1
      run.note(input)
      guard let fault = LawPlay.play(input) else { continue }
      let short = LawPlay.shortened(input)
      Issue.record("\(LawPlay.play(short) ?? fault)")
      run.save(short)
      return
    }
  }
}
