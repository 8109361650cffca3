import Glibc

/// Random numbers that a seed repeats: SplitMix64.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// Takes the seed from the environment variable `TIDELOCK_SEED`, or a new one, and prints it.
  package init(_ name: String) {
    let given = getenv("TIDELOCK_SEED").flatMap { UInt64(String(cString: $0)) }
    state = given ?? UInt64.random(in: 0...UInt64.max)
    print("seed of \(name): \(state)")
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
