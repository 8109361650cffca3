import FoundationEssentials
import Glibc

/// How long a fuzzer runs, and where its findings go.
///
/// In the suite a fuzzer takes a fixed number of steps. `scripts/fuzz` sets `TIDELOCK_FUZZ_SECONDS`,
/// and `TIDELOCK_SEED` for a run that is to be repeated.
struct FuzzRun {
  let name: String
  private let deadline: Double?
  private let stepsInSuite: Int
  private var steps = 0
  private var known: Int32 = -1

  static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Corpus")

  init(_ name: String, stepsInSuite: Int) {
    self.name = name
    self.stepsInSuite = stepsInSuite
    let seconds = getenv("TIDELOCK_FUZZ_SECONDS").flatMap { Double(String(cString: $0)) }
    deadline = seconds.map { Self.now() + $0 }
    // What a crash leaves behind, for the script to save.
    if deadline != nil, let path = getenv("TIDELOCK_FUZZ_LAST") {
      known = open("\(String(cString: path)).\(name)", O_CREAT | O_TRUNC | O_WRONLY, 0o644)
    }
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Whether there is another step to take.
  mutating func goesOn() -> Bool {
    steps += 1
    guard let deadline else { return steps <= stepsInSuite }
    if steps % 16 != 0 { return true }
    if Self.now() < deadline { return true }
    print("fuzzer \(name): \(steps) steps")
    return false
  }

  /// Notes what is about to be tried.
  func note(_ input: [UInt8]) {
    if known < 0 { return }
    _ = ftruncate(known, 0)
    _ = input.withUnsafeBytes { pwrite(known, $0.baseAddress, $0.count, 0) }
  }

  /// Keeps a finding among the cases that every run of the suite replays.
  func save(_ input: [UInt8]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in input { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let file = Self.corpus.appending(path: name).appending(path: String(hash, radix: 16))
    try? Data(input).write(to: file)
    print("fuzzer \(name): saved \(file.path)")
    return file.path
  }

  /// The cases that were found before.
  static func found(by name: String) -> [(file: String, input: [UInt8])] {
    let folder = corpus.appending(path: name).path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.sorted().filter { !$0.hasPrefix(".") && !$0.hasSuffix(".md") }.compactMap { file in
      (try? Data(contentsOf: URL(filePath: folder + "/" + file))).map { (file, Array($0)) }
    }
  }
}

/// Numbers that are read from bytes, so that a case can be saved, cut and replayed.
struct ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  /// A number from 0 up to, but not including, a limit of at most 256; 0 at the end.
  mutating func number(below limit: Int) -> Int {
    guard position < bytes.count, limit > 0 else { return 0 }
    position += 1
    return Int(bytes[position - 1]) % limit
  }

  mutating func flag() -> Bool { number(below: 2) == 1 }
  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[number(below: choices.count)]
  }

  /// The shortest part of a failing input that is found to fail as well.
  static func shortened(_ input: [UInt8], fails: ([UInt8]) -> Bool) -> [UInt8] {
    var best = input
    var size = best.count / 2
    var attempts = 0
    while size > 0, attempts < 2000 {
      var start = 0
      while start < best.count, attempts < 2000 {
        attempts += 1
        var shorter = best
        shorter.removeSubrange(start..<min(start + size, best.count))
        if fails(shorter) { best = shorter } else { start += size }
      }
      size /= 2
    }
    return best
  }
}
