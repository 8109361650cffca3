import CTideSlots

/// What changed a slot last.
package struct Change {
  /// Orders the changes of a graph.
  package let sequence: UInt64
  package let cause: Cause
  /// Of a binding: the edge, with its generation; of a body: its slot.
  package let causedBy: UInt32
  package let edgeGeneration: UInt16
  /// The line that wrote, by the number that the interpreter gave it; 0: unknown.
  package let locationID: UInt32
  /// What was being done, by the host's number; 0: unknown.
  package let act: UInt16
  package let old: Old

  package enum Cause: UInt16 {
    case write, binding, body, function, input, making
  }

  /// The value before.
  package enum Old {
    case value(Value)
    /// The beginning of a long text.
    case beginning(String)
    /// An object, by its header's index and generation.
    case object(index: UInt32, generation: UInt32)
    /// An object of a kind that is not told apart.
    case unknown
  }

  init(_ record: TideChange) {
    sequence = record.sequence
    cause = Cause(rawValue: record.causer.cause) ?? .write
    causedBy = record.causer.number
    edgeGeneration = record.causer.edgeGeneration
    locationID = record.locationID
    act = record.act
    old = Old(record)
  }
}

extension Change.Old {
  fileprivate init(_ record: TideChange) {
    switch record.tag {
    case Tag.null: self = .value(.null)
    case Tag.boolean: self = .value(.boolean(record.bits != 0))
    case Tag.integer: self = .value(.integer(Int(Int64(bitPattern: record.bits))))
    case Tag.number: self = .value(.number(Double(bitPattern: record.bits)))
    case Tag.string, Tag.bytes: self.init(text: record)
    default:
      self =
        record.bits == 0
        ? .unknown
        : .object(
          index: UInt32(record.bits >> 32), generation: UInt32(truncatingIfNeeded: record.bits))
    }
  }

  private init(text record: TideChange) {
    let room = Int(TIDE_OLD_TEXT), count = Int(record.count)
    let bytes = withUnsafeBytes(of: record.text) { Array($0.prefix(min(count, room))) }
    if count <= room {
      self =
        String(validating: bytes, as: UTF8.self).map { .value(.string($0)) }
        ?? .value(.bytes(bytes))
      return
    }
    // Without a last character that is not all there.
    var text = String(decoding: bytes, as: UTF8.self)
    if text.unicodeScalars.last == "\u{FFFD}" { text.unicodeScalars.removeLast() }
    self = .beginning(text)
  }
}
