import Fuzzing
import Glibc
import TestFolders
import Testing
import TideBindings
import TideLua
import TideScript

@testable import TideStore

/// Random statements, in memory and in files whose pages are changed now and then, with little time
/// and memory. None may crash, or take more than it is given.
///
/// `scripts/fuzz sql` goes on with other ones.
@Suite(.serialized) struct StatementFuzzTests {
  private static let turn = 0.1
  private static let memory = 32 << 20
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `former findings do no harm`() {
    for (file, input) in FuzzRun.found(by: "sql") {
      let fault = fault(input)
      #expect(fault == nil, "\(file): \(fault ?? "")")
    }
  }

  @Test(.timeLimit(.minutes(600))) func `no statement takes more than its share`() {
    var run = FuzzRun("sql", stepsInSuite: 20)
    var random = SeededGenerator(seed: FuzzRun.seed(of: "sql"))
    if let found = run.firstFault(sizes: 40...600, using: &random, fault) {
      Issue.record("\(found.text)\n\(texts(found.input).joined(separator: ";\n"))")
    }
  }

  private func texts(_ input: [UInt8]) -> [String] {
    var grammar = StatementGrammar(Array(input.dropFirst()))
    var texts: [String] = []
    while !grammar.isAtEnd, texts.count < 20 { texts.append(grammar.statement()) }
    return texts
  }

  /// What is wrong with how some statements ended; nil when all is well. The first byte says
  /// whether the database is a file, and which of its bytes change.
  private func fault(_ input: [UInt8]) -> String? {
    let first = input.first ?? 0
    // A busy machine may need more than a turn to begin.
    guard let runtime = try? runtime(isFile: first & 1 == 1) else { return nil }
    for (index, sql) in texts(input).enumerated() {
      if first & 2 == 2, index == 8 { damage(input) }
      if let fault = fault(sql, runtime) { return "\(fault): \(sql)" }
    }
    return nil
  }

  private func runtime(isFile: Bool) throws -> Runtime {
    var configuration = Runtime.Configuration()
    configuration.addStores()
    configuration.takesStubs = !isFile
    configuration.lua.access.store = [folder.path]
    configuration.lua.turn = .seconds(Self.turn)
    configuration.lua.memory = Self.memory
    let runtime = try Runtime(file: "app.lua", configuration: configuration)
    for suffix in ["", "-wal", "-shm", ".broken"] { folder.remove("fuzzed.db" + suffix) }
    try runtime.evaluate(
      """
      db = store.open("\(folder.path)/fuzzed.db")
      db:run("CREATE TABLE t0 (a, b)")
      db:run("INSERT INTO t0 VALUES (1, 'x'), (2, zeroblob(100)), (NULL, '{}')")
      function run(sql) return db:run(sql, sql:find("?1", 1, true) and { "AAAAAAAA" } or nil) end
      """, as: Value.self)
    return runtime
  }

  private func damage(_ input: [UInt8]) {
    var bytes = folder.readBytes("fuzzed.db")
    if bytes.count < 200 { return }
    for (index, byte) in input.enumerated() {
      bytes[20 + (index * 257 + Int(byte) * 31) % (bytes.count - 20)] = byte
    }
    folder.write(bytes, to: "fuzzed.db")
  }

  private func fault(_ sql: String, _ runtime: Runtime) -> String? {
    let start = processorTime()
    do {
      _ = try runtime.evaluate("run", as: LuaFunction.self).call([.string(sql)])
    } catch let error as LuaError where error.kind == .closed {
      return "the interpreter was closed"
    } catch {}
    let time = processorTime() - start
    if !hasSanitizer, time > Self.turn + 0.1 {
      return "it took \(time) seconds"
    }
    let held = runtime.memoryUsed
    return held > Self.memory ? "it holds \(held) bytes" : nil
  }
}

/// Seconds that the calling thread has run.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
