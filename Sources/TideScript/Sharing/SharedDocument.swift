/// What is shared under one key: the properties of a model, or one row of a list.
///
/// As bytes, with numbers of seven bits a byte, the lowest first:
///
///     version │ writer │ number │ cause │ applied: count, (writer, number)… │ fields: count, (name, whether it is a default, bytes)…
struct SharedDocument: Equatable, Sendable {
  struct Field: Equatable, Sendable {
    let name: String
    var bytes: [UInt8]
    /// Declared, and written by nobody.
    var isDefault = false
  }

  /// An update that is part of a document.
  struct Update: Equatable, Sendable {
    /// A random number that no other runtime has.
    let writer: UInt64
    /// Counts the writer's updates.
    let number: Int
  }

  /// In the order of their names.
  private(set) var fields: [Field] = []
  /// The one that made it what it is.
  var update = Update(writer: 0, number: 0)
  /// The last ones of other writers that are part of it, the latest first, so that who has not
  /// heard of the success of one does not send it again.
  var applied: [Update] = []
  /// Who wrote last, and where: `board@host app.lua:12`.
  var cause = ""

  private static let version: UInt8 = 1
  /// So many bytes tell who wrote last.
  private static let longestCause = 200
  /// So many other writers are remembered.
  private static let mostApplied = 16

  /// Of a row, where it stands among the others.
  static let order = "\u{1}order"
  /// Of a row that is an object, what it is an object of.
  static let kind = "\u{1}kind"
  /// The value of a row that is a text, a number or a list, rather than an object.
  static let value = "\u{1}value"

  subscript(name: String) -> [UInt8]? {
    get {
      let index = index(of: name)
      return index < fields.count && fields[index].name == name ? fields[index].bytes : nil
    }
    set {
      let index = index(of: name)
      let isKnown = index < fields.count && fields[index].name == name
      switch (newValue, isKnown) {
      case (let bytes?, true): fields[index].bytes = bytes
      case (let bytes?, false): fields.insert(Field(name: name, bytes: bytes), at: index)
      case (nil, true): fields.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// Sets a field that is declared, or was written.
  mutating func set(_ name: String, _ bytes: [UInt8], isDefault: Bool) {
    self[name] = bytes
    fields[index(of: name)].isDefault = isDefault
  }

  /// Whether a field is what somebody has declared, and nobody has written it.
  func isDefault(_ name: String) -> Bool {
    let index = index(of: name)
    return index < fields.count && fields[index].name == name && fields[index].isDefault
  }

  private func index(of name: String) -> Int {
    var low = 0, high = fields.count
    while low < high {
      let middle = (low + high) / 2
      if fields[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The number of a writer's last update that is part of it; nil where none is known.
  func lastNumber(of writer: UInt64) -> Int? {
    if update.writer == writer { return update.number }
    return applied.first { $0.writer == writer }?.number
  }

  /// Whether an update is part of it, as far as is known.
  func contains(_ other: Update) -> Bool {
    lastNumber(of: other.writer).map { $0 >= other.number } ?? false
  }

  /// Makes it what another update makes of it.
  mutating func begin(_ next: Update, cause: String) {
    var earlier = [update] + applied
    earlier.removeAll { $0.writer == next.writer || $0.writer == 0 }
    applied = Array(earlier.prefix(Self.mostApplied))
    update = next
    self.cause = Self.end(of: cause)
  }

  /// Of a long path, its end with the line.
  private static func end(of cause: String) -> String {
    cause.utf8.count <= longestCause
      ? cause : String(decoding: cause.utf8.suffix(longestCause), as: UTF8.self)
  }

  /// About how many bytes of memory it takes.
  var heldBytes: Int {
    fields.reduce(64 + cause.utf8.count + 16 * applied.count) { $0 + $1.bytes.count + 72 }
  }

  // MARK: Bytes

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.bytes.append(Self.version)
    writer.put(update)
    writer.put(Array(cause.utf8))
    writer.put(UInt64(applied.count))
    for update in applied { writer.put(update) }
    writer.put(UInt64(fields.count))
    for field in fields {
      writer.put(Array(field.name.utf8))
      writer.bytes.append(field.isDefault ? 1 : 0)
      writer.put(field.bytes)
    }
    return writer.bytes
  }

  init() {}

  /// Nil for bytes that cannot be read as a document: anybody may have written them.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let count = readHead(&reader) else { return nil }
    // The count is only what somebody says.
    fields.reserveCapacity(min(count, 64))
    for _ in 0..<count {
      guard let name = reader.text(), let flag = reader.byte(), flag < 2,
        let bytes = reader.bytes(), fields.last.map({ $0.name < name }) ?? true
      else { return nil }
      fields.append(Field(name: name, bytes: bytes, isDefault: flag == 1))
    }
    if !reader.isAtEnd { return nil }
  }

  /// Reads what stands before the fields, and how many of those there are to be; nil where that
  /// cannot be.
  private mutating func readHead(_ reader: inout ByteReader) -> Int? {
    guard reader.byte() == Self.version, let update = reader.update(),
      let cause = reader.text(), let count = reader.count(), count <= Self.mostApplied
    else { return nil }
    self.update = update
    self.cause = Self.end(of: cause)
    for _ in 0..<count {
      guard let update = reader.update() else { return nil }
      applied.append(update)
    }
    return reader.count(ofAtLeast: Self.leastField)
  }

  /// A field's bytes: two lengths and a flag.
  private static let leastField = 3
  /// About what a field takes in memory beside its bytes.
  private static let weightOfField = 128

  /// About how many bytes of memory the fields of a document take, beside their own, that has not
  /// been read: small ones take far more than their bytes.
  static func weightOfFields(in bytes: [UInt8]) -> Int {
    var (head, reader) = (Self(), ByteReader(bytes))
    return (head.readHead(&reader) ?? 0) * weightOfField
  }
}

private struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func put(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func put(_ content: [UInt8]) {
    put(UInt64(content.count))
    bytes += content
  }

  mutating func put(_ update: SharedDocument.Update) {
    put(update.writer)
    put(UInt64(update.number))
  }
}

private struct ByteReader {
  private let content: [UInt8]
  private var position = 0

  init(_ content: [UInt8]) { self.content = content }

  var isAtEnd: Bool { position == content.count }

  mutating func byte() -> UInt8? {
    guard position < content.count else { return nil }
    defer { position += 1 }
    return content[position]
  }

  mutating func number() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = byte() else { return nil }
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }

  /// No more than there are bytes left, so that nobody makes the reader reserve memory.
  ///
  /// - Parameter size: the least bytes that each takes.
  mutating func count(ofAtLeast size: Int = 1) -> Int? {
    guard let number = number(), number <= UInt64((content.count - position) / size) else {
      return nil
    }
    return Int(number)
  }

  mutating func bytes() -> [UInt8]? {
    guard let count = count() else { return nil }
    defer { position += count }
    return Array(content[position..<position + count])
  }

  mutating func text() -> String? {
    bytes().flatMap { String(validating: $0, as: UTF8.self) }
  }

  mutating func update() -> SharedDocument.Update? {
    guard let writer = number(), let number = number(), number <= UInt64(Int.max) else {
      return nil
    }
    return .init(writer: writer, number: Int(number))
  }
}
