/// The content of one key: the properties of a model, or one row of a list.
///
/// Serialized, with variable-length numbers (seven bits a byte, lowest first):
///
///     version │ writer │ number │ cause
///     │ applied: count, (writer, number)…
///     │ fields: count, (name, isDefault, bytes)…
struct SharedDocument: Equatable, Sendable {
  struct Field: Equatable, Sendable {
    let name: String
    var bytes: [UInt8]
    /// A declared default that nobody has written.
    var isDefault = false
  }

  /// An update that is part of a document.
  struct Update: Equatable, Sendable {
    /// A random number that identifies the runtime.
    let writer: UInt64
    /// Counts the writer's updates.
    let number: Int
  }

  /// Sorted by name.
  private(set) var fields: [Field] = []
  /// The latest update.
  var update = Update(writer: 0, number: 0)
  /// The latest updates of other writers that the document includes, most recent first. A writer
  /// that missed a confirmation finds its update here and does not send it again.
  var applied: [Update] = []
  /// Who wrote last, and where: `board@host app.lua:12`.
  var cause = ""

  private static let version: UInt8 = 1
  /// The most bytes of a cause.
  private static let longestCause = 200
  /// The most updates in `applied`.
  private static let mostApplied = 16

  /// The field with a row's order key.
  static let order = "\u{1}order"
  /// The field with a row's class, if the row is an object.
  static let kind = "\u{1}kind"
  /// The field with a row's value, if the row is not an object but a text, a number or a list.
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

  /// Sets a field, as a declared default or as a written value.
  mutating func set(_ name: String, _ bytes: [UInt8], isDefault: Bool) {
    self[name] = bytes
    fields[index(of: name)].isDefault = isDefault
  }

  /// Whether a field holds a declared default that nobody has written.
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

  /// The number of a writer's last update that the document includes; nil if none is known.
  func lastNumber(of writer: UInt64) -> Int? {
    if update.writer == writer { return update.number }
    return applied.first { $0.writer == writer }?.number
  }

  /// Whether the document is known to include an update.
  func contains(_ other: Update) -> Bool {
    lastNumber(of: other.writer).map { $0 >= other.number } ?? false
  }

  /// Begins an update, which becomes the document's latest one.
  mutating func begin(_ next: Update, cause: String) {
    var earlier = [update] + applied
    earlier.removeAll { $0.writer == next.writer || $0.writer == 0 }
    applied = Array(earlier.prefix(Self.mostApplied))
    update = next
    self.cause = Self.end(of: cause)
  }

  /// The end of a long cause, since the line number is there.
  private static func end(of cause: String) -> String {
    cause.utf8.count <= longestCause
      ? cause : String(decoding: cause.utf8.suffix(longestCause), as: UTF8.self)
  }

  /// The approximate size in memory, in bytes.
  var heldBytes: Int {
    fields.reduce(Self.weight + cause.utf8.count + 16 * applied.count) { sum, field in
      sum + field.name.utf8.count + field.bytes.count + Self.heldByField
    }
  }

  private static let weight = 64
  /// The bytes of a field in ``heldBytes`` beside its name and content.
  private static let heldByField = 72

  /// An upper bound of ``heldBytes`` for a document that has not been parsed.
  static func mostHeldBytes(of bytes: [UInt8]) -> Int {
    let (head, count) = head(of: bytes)
    return weight + 16 * head.applied.count + bytes.count + heldByField * count
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

  /// Nil for bytes that are not a document. They may come from anyone and are not trusted.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let count = readHead(&reader) else { return nil }
    // The count is not trusted.
    fields.reserveCapacity(min(count, 64))
    for _ in 0..<count {
      guard let name = reader.text(), let flag = reader.byte(), flag < 2,
        let bytes = reader.bytes(), fields.last.map({ $0.name < name }) ?? true
      else { return nil }
      fields.append(Field(name: name, bytes: bytes, isDefault: flag == 1))
    }
    if !reader.isAtEnd { return nil }
  }

  /// Reads the header and returns the number of fields that it announces; nil if it is malformed.
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

  /// The smallest size of a field in bytes: two lengths and a flag.
  private static let leastField = 3
  /// The approximate bytes of memory of a field beyond its content.
  private static let weightOfField = 128

  /// The approximate bytes of memory of an unparsed document's fields, beyond their content. Small
  /// fields take far more than their size.
  static func weightOfFields(in bytes: [UInt8]) -> Int {
    head(of: bytes).count * weightOfField
  }

  /// The header of a document, and the number of fields that it announces.
  private static func head(of bytes: [UInt8]) -> (head: Self, count: Int) {
    var (head, reader) = (Self(), ByteReader(bytes))
    let count = head.readHead(&reader) ?? 0
    return (head, count)
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

  /// Reads a count, which is limited by the remaining bytes. Malformed input therefore cannot make
  /// the reader reserve memory.
  ///
  /// - Parameter size: the smallest size of an element in bytes.
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
