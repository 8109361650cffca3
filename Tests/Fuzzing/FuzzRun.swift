package import FoundationEssentials
import Glibc

/// How long a fuzzer runs, and where its findings go.
///
/// ```swift
/// var run = FuzzRun("views", stepsInSuite: 300), random = SeededGenerator("views")
/// let found = run.firstFault(sizes: 20...600, using: &random) { input in … }
/// ```
///
/// In the suite a fuzzer takes a fixed number of steps. `scripts/fuzz` sets
/// `TIDELOCK_FUZZ_SECONDS`, or `TIDELOCK_FUZZ_RUNS` for so many steps, and `TIDELOCK_SEED` for a run
/// that is to be repeated.
package struct FuzzRun {
  private let name: String
  private let corpus: URL
  private let deadline: Double?
  private let stepsInSuite: Int
  private var steps = 0
  private var known: Int32 = -1

  /// The folder `Corpus` of the target that a file one folder below it belongs to.
  package static func corpus(of file: String) -> URL {
    URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Corpus")
  }

  /// Keeps findings in the folder `Corpus` of the target.
  package init(_ name: String, stepsInSuite: Int, file: String = #filePath) {
    self.init(name, corpus: Self.corpus(of: file), stepsInSuite: stepsInSuite)
  }

  /// `corpus` is the folder of what was found before, with a folder of that name in it.
  package init(_ name: String, corpus: URL, stepsInSuite: Int) {
    self.name = name
    self.corpus = corpus
    let runs = Self.number("TIDELOCK_FUZZ_RUNS").map { Int($0) }
    self.stepsInSuite = runs ?? stepsInSuite
    deadline = runs == nil ? Self.number("TIDELOCK_FUZZ_SECONDS").map { Self.now() + $0 } : nil
    // What a crash leaves behind, for the script to save.
    if Self.isSearch, let path = getenv("TIDELOCK_FUZZ_LAST") {
      known = open("\(String(cString: path)).\(name)", O_CREAT | O_TRUNC | O_WRONLY, 0o644)
    }
  }

  private static func number(_ name: String) -> Double? {
    getenv(name).flatMap { Double(String(cString: $0)) }
  }

  /// Whether somebody looks for faults, beyond what the suite does each time.
  package static var isSearch: Bool {
    number("TIDELOCK_FUZZ_SECONDS") != nil || number("TIDELOCK_FUZZ_RUNS") != nil
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The seed of a run: that of `TIDELOCK_SEED`, else the one given here or a new one; printed.
  package static func seed(of name: String, otherwise usual: UInt64? = nil) -> UInt64 {
    let given = getenv("TIDELOCK_SEED").flatMap { UInt64(String(cString: $0)) }
    let seed = given ?? usual ?? UInt64.random(in: 0...UInt64.max)
    print("seed of \(name): \(seed)")
    return seed
  }

  /// Whether there is another step to take.
  package mutating func goesOn() -> Bool {
    steps += 1
    guard let deadline else {
      if steps > stepsInSuite, Self.isSearch { print("fuzzer \(name): \(stepsInSuite) steps") }
      return steps <= stepsInSuite
    }
    if steps % 16 != 0 { return true }
    if Self.now() < deadline { return true }
    print("fuzzer \(name): \(steps) steps")
    return false
  }

  /// Notes what is about to be tried.
  package func note(_ input: [UInt8]) {
    if known < 0 { return }
    _ = ftruncate(known, 0)
    _ = input.withUnsafeBytes { pwrite(known, $0.baseAddress, $0.count, 0) }
  }

  /// Tries random bytes until a case fails. Returns the fault of its shortest part that fails as
  /// well, which is kept.
  ///
  /// With `takesTurns` the first byte of each case is the next number, so that whatever it chooses
  /// has its turn in a short run too; shortening leaves it.
  package mutating func firstFault(
    sizes: ClosedRange<Int>, takesTurns: Bool = false, using random: inout SeededGenerator,
    _ fault: ([UInt8]) -> String?
  ) -> (input: [UInt8], text: String)? {
    var head = takesTurns ? random.bytes(1) : []
    while goesOn() {
      let input = head + random.bytes(Int.random(in: sizes, using: &random))
      note(input)
      if let found = fault(input) {
        let rest = Array(input.dropFirst(head.count))
        let short = head + ByteSource.shortened(rest) { fault(head + $0) != nil }
        save(short)
        return (short, fault(short) ?? found)
      }
      head = head.map { $0 &+ 1 }
    }
    return nil
  }

  /// Keeps a finding among the cases that every run of the suite replays.
  @discardableResult
  package func save(_ input: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in input { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let folder = corpus.appending(path: name)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: String(hash, radix: 16))
    try? Data(input).write(to: file)
    print("fuzzer \(name): saved \(file.path)")
    return file.path
  }

  /// The cases that were found before, and are kept in the folder `Corpus` of the target.
  package static func found(
    by name: String, file: String = #filePath
  ) -> [(file: String, input: [UInt8])] {
    let folder = corpus(of: file).appending(path: name).path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.sorted().filter { !$0.hasPrefix(".") && !$0.hasSuffix(".md") }.compactMap { file in
      (try? Data(contentsOf: URL(filePath: folder + "/" + file))).map { (file, Array($0)) }
    }
  }
}
