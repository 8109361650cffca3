import CTideLua
import TideValues

extension Tape {
  /// Iterates over the fields of a table, with the positions of each key and value.
  @inline(__always)
  func forEachField(of table: Int, _ body: (_ key: Int, _ value: Int) throws -> Void) rethrows {
    var position = table + 1
    for _ in 0..<fieldCount(table) {
      // A key is one cell.
      try body(position, position + 1)
      position = next(position + 1)
    }
  }

  /// The value of a field, found by linear search.
  func field(of table: Int, _ text: UnsafeRawBufferPointer) -> Int? {
    field(of: table) { has(text, at: $0) }
  }

  func field(of table: Int, _ integer: Int) -> Int? {
    field(of: table) { has(integer, at: $0) }
  }

  @inline(__always)
  private func field(of table: Int, where isIt: (_ key: Int) -> Bool) -> Int? {
    var position = table + 1
    for _ in 0..<fieldCount(table) {
      if isIt(position) { return position + 1 }
      position = next(position + 1)
    }
    return nil
  }

  /// An element of the sequence, counted from 1.
  func element(of table: Int, _ number: Int) -> Int {
    var position = table + 1
    for _ in 0..<fieldCount(table) { position = next(position + 1) }
    for _ in 1..<number { position = next(position) }
    return position
  }

  @inline(__always)
  func has(_ text: UnsafeRawBufferPointer, at key: Int) -> Bool {
    let cell = cell(key)
    guard cell.pointee.tag == UInt32(TIDE_LUA_TEXT), Int(cell.pointee.count) == text.count else {
      return false
    }
    guard let start = text.baseAddress, let own = self.text(key).baseAddress else {
      return text.count == 0
    }
    return memcmp(own, start, text.count) == 0
  }

  @inline(__always)
  func has(_ integer: Int, at key: Int) -> Bool {
    let cell = cell(key)
    return cell.pointee.tag == UInt32(TIDE_LUA_INTEGER) && cell.pointee.integer == Int64(integer)
  }

  /// A key in Lua's syntax.
  func written(keyAt key: Int) -> String {
    switch tag(key) {
    case TIDE_LUA_TEXT: "\"\(String.repairedMessage(UnsafeRawBufferPointer(text(key))))\""
    case TIDE_LUA_INTEGER: "\(cell(key).pointee.integer)"
    case TIDE_LUA_NUMBER: "\(cell(key).pointee.number)"
    case TIDE_LUA_BOOLEAN: "\(cell(key).pointee.integer != 0)"
    default: typeName(key)
    }
  }
}

/// The index of a large table's fields: a hash table of the keys' positions.
final class FieldIndex {
  private let tape: Tape
  private var slots: [Int32]

  init(of tape: Tape, _ table: Int) {
    self.tape = tape
    let count = tape.fieldCount(table)
    slots = Array(repeating: 0, count: (count * 2).nextPowerOfTwo)
    tape.forEachField(of: table) { key, _ in
      var slot = hash(of: key) & (slots.count - 1)
      // Position 0 is a header, so it is never a key's.
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: key)
    }
  }

  func find(_ text: UnsafeRawBufferPointer) -> Int? {
    find(hash(text)) { tape.has(text, at: $0) }
  }

  func find(_ integer: Int) -> Int? {
    find(hash(integer)) { tape.has(integer, at: $0) }
  }

  private func find(_ hash: Int, _ isIt: (Int) -> Bool) -> Int? {
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0 {
      let key = Int(UInt32(bitPattern: slots[slot]))
      if isIt(key) { return key + 1 }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func hash(of key: Int) -> Int {
    switch tape.tag(key) {
    case TIDE_LUA_TEXT: hash(tape.text(key))
    case TIDE_LUA_INTEGER: hash(Int(tape.cell(key).pointee.integer))
    default: 0
    }
  }

  private func hash(_ integer: Int) -> Int {
    Int(bitPattern: UInt(bitPattern: integer) &* 0x9E37_79B9_7F4A_7C15 >> 16)
  }

  private func hash(_ text: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    return hasher.finalize()
  }
}

extension Int {
  fileprivate var nextPowerOfTwo: Int {
    1 << (Int.bitWidth - Swift.max(self - 1, 1).leadingZeroBitCount)
  }
}
