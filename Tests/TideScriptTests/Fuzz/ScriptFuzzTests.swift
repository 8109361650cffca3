import FoundationEssentials
import Fuzzing
import Glibc
import Testing
import TideBindings
import TideGraph
import TideLua
import TideViews

@testable import TideScript

/// Generated programs that use the whole API, with little time and memory: whatever they do,
/// nothing traps, the graph is whole, and the runtime goes on.
@Suite(.serialized) struct ScriptFuzzTests {
  private static let turn = 0.05

  /// What is wrong after a program, nil while all is well.
  private static func fault(_ program: String) -> String? {
    let memory = residentBytes()
    let start = processorTime()
    var broken: [String]
    do {
      var configuration = Runtime.Configuration(memory: .megabytes(24), turn: .seconds(60))
      configuration.print = { _ in }
      configuration.clock = VirtualClock(epoch: 1_000_000)
      let runtime = try Runtime(file: "fuzz.lua", configuration: configuration)
      // Making it may take long on a machine that is busy.
      runtime.lua.setTurnLimit(.seconds(turn))
      broken = run(program, in: runtime)
    } catch {
      return "no runtime: \(error)"
    }
    // A loose measure, for what no budget has held.
    let seconds = processorTime() - start
    if seconds > 20 { broken.append("it took \(Int(seconds)) seconds of the processor") }
    let grown = residentBytes() - memory
    if grown > 600 << 20 { broken.append("it has left \(grown >> 20) MiB") }
    return broken.isEmpty ? nil : broken.joined(separator: "\n")
  }

  private static func run(_ program: String, in runtime: Runtime) -> [String] {
    do {
      try runtime.evaluate(ProgramWriter.prelude + program + "\nreturn nil", as: Value.self)
    } catch {
      // A program that does not compile tries nothing.
      if let error = error as? TideError, error.code == .scriptSyntax { return ["\(error)"] }
    }
    for _ in 0..<12 where runtime.lua.isOpen && runtime.exitCode == nil {
      runtime.loop.advance(by: 0.25)
      runtime.settle()
      runtime.loop.drain(limit: 4)
      // What cannot be laid out or drawn is an error like others.
      try? runtime.scene?.commit()
    }
    var broken = runtime.graph.brokenInvariants()
    // Where the contract allows that it is given up it says so, and the process goes on.
    guard runtime.lua.isOpen, runtime.exitCode == nil else { return broken }
    // On a busy machine, the short time of a turn may pass by before anything runs.
    for isLast in [false, false, true] {
      do {
        if try runtime.evaluate("1 + 1", as: Int.self) != 2 { broken.append("1 + 1 is not 2") }
        break
      } catch {
        let isTime = (error as? TideError)?.code == .scriptTime
        if isLast || !isTime { broken.append("it does not go on: \(error)") }
        if !isTime { break }
      }
    }
    return broken
  }

  /// The program with fewer lines that has a fault as well.
  private static func shortened(_ lines: [String]) -> [String] {
    guard lines.count <= 256 else { return lines }
    let kept = ByteSource.shortened((0..<lines.count).map { UInt8($0) }) { numbers in
      fault(numbers.map { lines[Int($0)] }.joined(separator: "\n")) != nil
    }
    return kept.map { lines[Int($0)] }
  }

  @Test func `the grammar knows the API`() throws {
    let grammar = try APIGrammar()
    let names = Set(grammar.functions.map(\.name))
    for name in ["bind", "observe", "trigger.change", "controller.list", "list", "spawn"] {
      #expect(names.contains(name), "\(name)")
    }
    #expect(!names.contains("describe"))
    #expect(grammar.views.count > 20 && grammar.events.count > 10)
    #expect(grammar.methods(of: "tidelock.List").contains { $0.name == "append" })
    #expect(grammar.methods(of: "tidelock.controller.list").contains { $0.name == "commitEditing" })
    #expect(grammar.fields(of: "tidelock.view.label.Fields").contains { $0.name == "text" })
    let change = grammar.fields(of: "tidelock.Change")
    #expect(change.contains { $0.name == "edits" && $0.type == "tidelock.Edit[]" })
    #expect(grammar.className(of: "tidelock.List<T>?") == "tidelock.List")
  }

  @Test func `programs that were found before do no harm`() {
    for (file, input) in FuzzRun.found(by: "scripts") {
      let fault = Self.fault(String(decoding: input, as: UTF8.self))
      #expect(fault == nil, "\(file): \(fault ?? "")")
    }
  }

  @Test func `no program breaks the runtime`() throws {
    let grammar = try APIGrammar()
    // In the suite the same programs each time, so that it tells of the change at hand.
    let isFuzzing = getenv("TIDELOCK_FUZZ_SECONDS") != nil || getenv("TIDELOCK_SEED") != nil
    var random = SeededGenerator(seed: isFuzzing ? FuzzRun.seed(of: "scripts") : 1)
    var run = FuzzRun("scripts", stepsInSuite: 60)
    while run.goesOn() {
      let bytes = random.bytes(2000)
      var writer = ProgramWriter(grammar, bytes)
      let lines = writer.program(Int.random(in: 1...40, using: &random))
      let program = lines.joined(separator: "\n")
      run.note(Array(program.utf8))
      guard let fault = Self.fault(program) else { continue }
      let short = Self.shortened(lines).joined(separator: "\n")
      run.save(Array(short.utf8))
      Issue.record("\(fault)\n\(short)")
      return
    }
  }
}

/// Seconds that the calling thread has run.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func residentBytes() -> Int {
  guard let text = try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8)
  else { return 0 }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(getpagesize())
}
