/// What a paste means as text.
enum PastedText {
  /// UTF-8, repaired where it is broken, with line ends as Unix has them: terminals send a carriage
  /// return for each.
  static func clean(_ bytes: [UInt8]) -> String {
    var clean: [UInt8] = []
    clean.reserveCapacity(bytes.count)
    var last: UInt8 = 0
    for byte in bytes {
      if byte == 0x0d {
        clean.append(0x0a)
      } else if !(byte == 0x0a && last == 0x0d) {
        clean.append(byte)
      }
      last = byte
    }
    return String(decoding: clean, as: UTF8.self)
  }
}
