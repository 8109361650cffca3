import Foundation
import Fuzzing
import Testing
import TideScript
import TideViews

/// Random people at the keyboard, and random saves meanwhile, in two runs that must come to the
/// same.
@Suite("The laws of reload") struct ReloadLawTests {
  @Test func `hold for what was found before`() {
    for (file, input) in FuzzRun.found(by: "reload") {
      let fault = LawPlay.play(input)
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `hold for whatever is done and saved`() {
    // In the suite the same people each time, so that it tells of the change at hand.
    let isFuzzing = getenv("TIDELOCK_FUZZ_SECONDS") != nil
    let seed = FuzzRun.seed(of: "reload", otherwise: isFuzzing ? nil : 1)
    var random = SeededGenerator(seed: seed)
    var run = FuzzRun("reload", stepsInSuite: 10)
    // The first byte chooses the app.
    let found = run.firstFault(
      sizes: 10...160, takesTurns: true, using: &random, LawPlay.play)
    if let found { Issue.record("\(found.text)") }
  }
}

/// Plays a case twice, with reloads and without, and compares after each step.
///
/// ```swift
/// let fault = LawPlay.play([3, 1, 4, 1, 5])    // nil when all is well
/// ```
///
/// The first byte of a case chooses the app, and the rest the steps.
enum LawPlay {
  static func play(_ input: [UInt8]) -> String? {
    var source = ByteSource(input)
    let app = LawApp.app(&source)
    var log: [String] = []
    func report(_ fault: String) -> String {
      "\(app.name): \(fault)\n  after " + log.suffix(40).joined(separator: ", ") + app.parts
    }
    do {
      let reloaded = try LawRun(app), other = try LawRun(app)
      var person = LawPerson(source, size: Size(width: 80, height: 24))
      if let fault = difference(reloaded, other) { return report(fault) }
      while reloaded.runtime.exitCode == nil, let step = person.next() {
        log.append("\(step)")
        switch step {
        case .input(_, let events):
          reloaded.take(events)
          other.take(events)
        case .wait(let seconds):
          reloaded.wait(seconds)
          other.wait(seconds)
        case .save(let save):
          if app.hasTimers {
            reloaded.wait(60)
            other.wait(60)
          }
          if let fault = reloaded.save(save) ?? reloaded.brokenInvariant { return report(fault) }
          if !save.isBroken {
            if reloaded.isAsking { return report("a question outlives its version") }
            other.endQuestions()
          }
          if app.hasDelays {
            // What waits does so anew after a reload: in the end it has been carried in both.
            reloaded.wait(1)
            other.wait(1)
          }
        }
        if let fault = difference(reloaded, other) { return report(fault) }
      }
      return nil
    } catch {
      return report("\(error)")
    }
  }

  /// What is different, if anything.
  private static func difference(_ reloaded: LawRun, _ other: LawRun) -> String? {
    let cheap = (reloaded.state(isDetailed: false), other.state(isDetailed: false))
    if cheap.0.elementsEqual(cheap.1, by: ==) { return nil }
    let (now, wanted) = (reloaded.state(isDetailed: true), other.state(isDetailed: true))
    var faults: [String] = []
    for (one, two) in zip(now, wanted) where one != two {
      faults.append("\(one.name) is \(one.text)\n    and not \(two.name): \(two.text)")
      if faults.count == 4 { break }
    }
    if now.count != wanted.count { faults.append("\(now.count) lines, not \(wanted.count)") }
    return faults.isEmpty ? nil : faults.joined(separator: "\n  ")
  }
}
