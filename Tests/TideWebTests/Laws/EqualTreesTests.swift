import Fuzzing
import Glibc
import Testing
import TideBindings

@testable import TideViews

/// After any inputs, changes by scripts, saves and lost connections, every page shows what the app
/// has.
@Suite struct EqualTreesTests {
  @Test func `all that is compared are properties of some view`() {
    for name in LawContent.names {
      #expect(
        ViewClass.builtIn.contains { $0.shape.propertiesByIndex.contains { $0.name == name } })
    }
  }

  @Test func `every case found earlier ends in equal trees`() {
    let found = FuzzRun.found(by: "pages")
    #expect(!found.isEmpty)
    for (file, input) in found {
      let fault = LawPlay.play(input)
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `after random inputs, every page has what the terminal and a new page have`() {
    // The suite plays the same cases each time; a search plays others.
    let isSearch = getenv("TIDELOCK_FUZZ_SECONDS") != nil
    var random = SeededGenerator(seed: FuzzRun.seed(of: "pages", otherwise: isSearch ? nil : 1))
    var run = FuzzRun("pages", stepsInSuite: 40)
    // The first byte says how many pages there are.
    let found = run.firstFault(sizes: 40...400, takesTurns: true, using: &random, LawPlay.play)
    if let found { Issue.record("\(found.text)") }
  }
}
