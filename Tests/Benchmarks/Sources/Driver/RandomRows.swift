/// The same places in a list of ten thousand for every driver (xorshift).
public struct RandomRows {
  private var state: UInt32 = 12345

  /// Begins the sequence, which is the same in every run.
  public init() {}

  /// The next row, from 0 to 9999.
  public mutating func next() -> Int {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return Int(state % 10_000)
  }
}
