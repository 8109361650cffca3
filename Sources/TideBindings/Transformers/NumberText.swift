import TideGraph
import TideSystem

/// Numbers as text for users.
enum NumberText {
  /// With a fixed number of decimals. A value that rounds to zero has no minus sign.
  static func fixed(_ value: Value, decimals: Int) -> String {
    if case .integer(let integer) = value {
      return decimals == 0 ? "\(integer)" : "\(integer)." + String(repeating: "0", count: decimals)
    }
    let text = printed("%.\(decimals)f", Arithmetic.float(value))
    guard text.hasPrefix("-") else { return text }
    if text.hasSuffix("nan") { return "nan" }
    return text.utf8.contains { $0 >= 0x31 && $0 <= 0x39 || $0 | 0x20 >= 0x61 }
      ? text : String(text.dropFirst())
  }

  /// `512 B`, `1.5 KiB`, `2 MiB`: one decimal, powers of 1024.
  static func byteCount(_ value: Value, _ locale: FormatLocale = .english) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    var amount = Arithmetic.float(value)
    var unit = 0
    // From 1023.95 on, one decimal would show 1024 of the smaller unit.
    while amount.magnitude >= 1023.95, amount.isFinite, unit + 1 < units.count {
      amount /= 1024
      unit += 1
    }
    var text = fixed(.number(amount), decimals: 1)
    if text.hasSuffix(".0") { text.removeLast(2) }
    return "\(locale.text(text, isGrouped: false)) \(units[unit])"
  }

  /// The output of C's `printf` for one value.
  static func printed(_ format: String, _ argument: some CVarArg) -> String {
    String(decoding: printedBytes(format, argument), as: UTF8.self)
  }

  static func printedBytes(_ format: String, _ argument: some CVarArg) -> [UInt8] {
    withVaList([argument]) { arguments in
      // The longest output is that of %99.99f for the largest number.
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
        let count = vsnprintf(buffer.baseAddress, buffer.count, format, arguments)
        guard count > 0 else { return [] }
        return buffer.prefix(min(Int(count), buffer.count - 1)).map { UInt8(bitPattern: $0) }
      }
    }
  }
}
