import Fuzzing
import Testing

/// Whatever people, scripts, saves and lost lines do, each page comes to show what the app has.
@Suite struct EqualTreesTests {
  @Test func `what was found before leads to equal trees`() {
    for (file, input) in FuzzRun.found(by: "pages") {
      let fault = LawPlay.play(input)
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `whatever is done, pages have what the terminal has, and what a new page gets`() {
    var random = SeededGenerator(seed: FuzzRun.seed(of: "pages", otherwise: nil))
    var run = FuzzRun("pages", stepsInSuite: 40)
    // The first byte says how many pages there are.
    let found = run.firstFault(sizes: 40...400, takesTurns: true, using: &random, LawPlay.play)
    if let found { Issue.record("\(found.text)") }
  }
}
