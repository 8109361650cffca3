import TideGraph

/// A sum to which numbers can be added, and from which they can be removed, without any loss.
///
/// ```swift
/// var sum = ExactSum()
/// for number: Value in [0.1, 1e300, 0.2] { sum.add(number) }
/// sum.remove(1e300)
/// sum.value      // 0.30000000000000004, as if 1e300 had never been there
/// ```
///
/// After a removal the sum is that of the remaining numbers, so a summary that follows its list can
/// run forever. The result is the exact sum, rounded once: an integer if there are only integers
/// and the sum is in their range. Each operation takes constant time.
struct ExactSum {
  /// The sums of the integers' upper and lower 32 bits.
  private var upper = 0
  private var lower = 0
  /// The sum of the floating-point numbers: `limbs[i]` counts units of 2 to the power 32 i - 1088,
  /// which covers the range of all numbers. Empty while there are none.
  private var limbs: [Int64] = []
  /// Operations since the limbs were last normalized to 32 bits.
  private var additions = 0
  private var numbers = 0
  private var infinities = (positive: 0, negative: 0)
  private var nans = 0

  private static let limbCount = 69
  /// The limb of the units.
  private static let unit = 34

  mutating func add(_ value: Value) { count(value, 1) }
  mutating func remove(_ value: Value) { count(value, -1) }

  private mutating func count(_ value: Value, _ sign: Int) {
    switch value {
    case .integer(let integer):
      upper += sign * (integer >> 32)
      lower += sign * (integer & 0xFFFF_FFFF)
    case .number(let number):
      numbers += sign
      if number.isNaN {
        nans += sign
      } else if number.isInfinite {
        if number > 0 { infinities.positive += sign } else { infinities.negative += sign }
      } else {
        accumulate(number, Int64(sign))
      }
    default: break
    }
  }

  private mutating func accumulate(_ number: Double, _ sign: Int64) {
    if number == 0 { return }
    if limbs.isEmpty { limbs = [Int64](repeating: 0, count: Self.limbCount) }
    additions += 1
    if additions == 1 << 28 { carry() }
    // The number is mantissa times 2 to the power bit - 1088.
    let isSubnormal = number.exponentBitPattern == 0
    let mantissa = number.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
    let bit = Int(max(1, number.exponentBitPattern)) - 1075 + 1088
    let sign = number < 0 ? -sign : sign
    let index = bit / 32, shift = UInt64(bit % 32)
    let low = (mantissa & 0xFFFF_FFFF) << shift, high = (mantissa >> 32) << shift
    limbs[index] += sign * Int64(low & 0xFFFF_FFFF)
    limbs[index + 1] += sign * Int64((low >> 32) + (high & 0xFFFF_FFFF))
    limbs[index + 2] += sign * Int64(high >> 32)
  }

  /// Normalizes all limbs but the last to 32 bits. The last one has the sign.
  private mutating func carry() {
    additions = 0
    for index in 0..<limbs.count - 1 {
      limbs[index + 1] += limbs[index] >> 32
      limbs[index] &= 0xFFFF_FFFF
    }
  }

  // MARK: The sum

  var value: Value {
    if numbers == 0, let integer { return .integer(integer) }
    return .number(number)
  }

  /// The sum as a floating-point number.
  var number: Double {
    if nans > 0 || (infinities.positive > 0 && infinities.negative > 0) { return .nan }
    if infinities.positive > 0 { return .infinity }
    if infinities.negative > 0 { return -.infinity }
    var whole = self
    if whole.limbs.isEmpty { whole.limbs = [Int64](repeating: 0, count: Self.limbCount) }
    whole.carry()
    whole.limbs[Self.unit] += Int64(lower)
    whole.limbs[Self.unit + 1] += Int64(upper)
    whole.carry()
    return whole.rounded
  }

  /// The sum of the integers; nil outside of their range.
  private var integer: Int? {
    let upper = upper + (lower >> 32)
    guard Int(Int32.min)...Int(Int32.max) ~= upper else { return nil }
    return upper << 32 | (lower & 0xFFFF_FFFF)
  }

  /// The limbs, which are normalized, as one number.
  private var rounded: Double {
    guard let last = limbs.last else { return 0 }
    if last < 0 {
      var positive = self
      for index in limbs.indices { positive.limbs[index] = -limbs[index] }
      positive.carry()
      return -positive.rounded
    }
    guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
    // The upper bits, with a lowest bit that tells whether any bit below them is set.
    var bits = UInt64(limbs[top])
    var bit = 32 * top
    var next = top - 1
    while next >= 0, bits.leadingZeroBitCount >= 32 {
      bits = bits << 32 | UInt64(limbs[next])
      bit -= 32
      next -= 1
    }
    if next >= 0 {
      let room = bits.leadingZeroBitCount
      bits = bits << UInt64(room) | UInt64(limbs[next]) >> UInt64(32 - room)
      bit -= room
      let isInexact =
        UInt64(limbs[next]) << UInt64(32 + room) != 0 || limbs[..<next].contains { $0 != 0 }
      if isInexact { bits |= 1 }
    }
    return Double(sign: .plus, exponent: bit - 1088, significand: Double(bits))
  }
}
