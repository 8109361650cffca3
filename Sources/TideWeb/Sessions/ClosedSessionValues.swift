/// The values of private sessions that were closed, until their pages return.
///
/// Their size and number are limited. If a limit is exceeded, the oldest values of the holder with
/// the most are dropped, so that nobody displaces the values of others. Values of people named by
/// the host are dropped last.
///
/// ```swift
/// var kept = ClosedSessionValues(limit: 64 << 20)
/// kept.add(values, of: "browser:3f0c…", holder)
/// kept.take("browser:3f0c…")
/// ```
struct ClosedSessionValues {
  /// The oldest first.
  private var entries: [Entry] = []
  /// By holder; nil stands for all unknown holders.
  private var totals: [PlaceHolder.Key?: Amount] = [:]
  private var total = Amount()
  private let limits: Amount

  private struct Entry {
    let name: String
    let values: [UInt8]
    let holder: PlaceHolder

    var amount: Amount { Amount(bytes: values.count, count: 1) }

    /// By bytes, because the names of two people may be equal as strings.
    func isOf(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }

    /// Values of a named person count for that person only, because several people may share an
    /// address.
    var keys: [PlaceHolder.Key?] {
      if holder.person != nil { return [holder.keys.first] }
      return holder.keys.isEmpty ? [nil] : holder.keys
    }
  }

  private struct Amount {
    var bytes = 0
    var count = 0

    static func += (amount: inout Amount, other: Amount) {
      amount.bytes += other.bytes
      amount.count += other.count
    }

    static func -= (amount: inout Amount, other: Amount) {
      amount.bytes -= other.bytes
      amount.count -= other.count
    }

    func exceeds(_ limits: Amount) -> Bool { bytes > limits.bytes || count > limits.count }
  }

  /// - Parameters:
  ///   - limit: the most bytes of all values; one session may use a sixteenth of it.
  ///   - count: the most sessions whose values are kept.
  init(limit: Int, count: Int = 10_000) { limits = Amount(bytes: limit, count: count) }

  /// The session whose values have been kept longest.
  var first: String? { entries.first?.name }
  var names: [String] { entries.map(\.name) }

  func contains(_ name: String) -> Bool { entries.contains { $0.isOf(name) } }

  /// Stores the values of a session in place of its former ones.
  mutating func add(_ values: [UInt8], of name: String, _ holder: PlaceHolder) {
    // A single session must not displace all others.
    if values.count > limits.bytes / 16 { return }
    _ = take(name)
    let entry = Entry(name: name, values: values, holder: holder)
    entries.append(entry)
    total += entry.amount
    for key in entry.keys { totals[key, default: Amount()] += entry.amount }
    for case let key? in entry.keys {
      let share = Amount(
        bytes: key.share(of: limits.bytes), count: key.share(of: limits.count))
      while let held = totals[key], held.exceeds(share) {
        removeLargest(byVolume: held.bytes > share.bytes) { $0.keys.contains(key) }
      }
    }
    while total.exceeds(limits) {
      removeLargest(byVolume: total.bytes > limits.bytes) { _ in true }
    }
  }

  /// Removes and returns the values of a session.
  mutating func take(_ name: String) -> [UInt8]? {
    entries.firstIndex { $0.isOf(name) }.map { remove(at: $0).values }
  }

  /// Removes the oldest values of the holder with the most. Values of named persons are removed
  /// last.
  private mutating func removeLargest(byVolume isVolume: Bool, of isMeant: (Entry) -> Bool) {
    func weight(_ key: PlaceHolder.Key?) -> Int {
      let held = totals[key] ?? Amount()
      let amount = isVolume ? held.bytes : held.count
      return switch key {
      case .person?: amount - Int.max / 2
      // Several people may share an address.
      case .address?: amount / 2
      case .browser?, nil: amount
      }
    }
    var largest: (index: Int, weight: Int, own: Int)?
    for (index, entry) in entries.enumerated() where isMeant(entry) {
      let own = weight(entry.keys[0])
      let most = entry.keys.dropFirst().reduce(own) { max($0, weight($1)) }
      if let largest, (most, own) <= (largest.weight, largest.own) { continue }
      largest = (index, most, own)
    }
    if let largest { _ = remove(at: largest.index) }
  }

  private mutating func remove(at index: Int) -> Entry {
    let entry = entries.remove(at: index)
    total -= entry.amount
    for key in entry.keys {
      totals[key]? -= entry.amount
      if totals[key]?.count == 0 { totals[key] = nil }
    }
    return entry
  }
}
