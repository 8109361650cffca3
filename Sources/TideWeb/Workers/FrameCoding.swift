import TideSystem

/// Writes the content of a frame: integers as eight bytes in little-endian order, bytes and texts
/// after their length.
struct FrameWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func add(_ content: some Collection<UInt8>) {
    add(content.count)
    bytes.append(contentsOf: content)
  }

  mutating func add(_ text: String) { add(text.utf8) }

  mutating func add(_ text: String?) {
    add(text != nil)
    if let text { add(text) }
  }

  mutating func add(_ content: [UInt8]?) {
    add(content != nil)
    if let content { add(content) }
  }
}

/// Reads the output of ``FrameWriter``. The input may come from an attacker, so any mismatch is a
/// fault.
struct FrameReader {
  private var rest: UnsafeRawBufferPointer.SubSequence

  /// A frame that no program of this version writes.
  struct Fault: Error {}

  init(_ content: UnsafeRawBufferPointer) { rest = content[...] }

  /// Whether the whole content has been read.
  var isAtEnd: Bool { rest.isEmpty }

  private mutating func take(_ count: Int) throws(Fault) -> UnsafeRawBufferPointer.SubSequence {
    guard count >= 0, count <= rest.count else { throw Fault() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func number() throws(Fault) -> Int {
    let bytes = try take(8)
    return Int(bytes.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) })
  }

  /// The length of a list whose elements have at least `size` bytes each.
  mutating func count(ofAtLeast size: Int) throws(Fault) -> Int {
    let count = try number()
    guard count >= 0, count <= rest.count / size else { throw Fault() }
    return count
  }

  mutating func flag() throws(Fault) -> Bool {
    switch try take(1).first {
    case 0: false
    case 1: true
    default: throw Fault()
    }
  }

  mutating func content() throws(Fault) -> [UInt8] { Array(try take(try number())) }

  mutating func text() throws(Fault) -> String {
    guard let text = String(validating: try content(), as: UTF8.self) else { throw Fault() }
    return text
  }

  mutating func optionalText() throws(Fault) -> String? { try flag() ? try text() : nil }
  mutating func optionalContent() throws(Fault) -> [UInt8]? { try flag() ? try content() : nil }
}
