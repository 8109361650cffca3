import CTideSlots

/// The last change of a slot.
package struct Change {
  /// The change's position in the order of the graph's changes.
  package let sequence: UInt64
  package let cause: Cause
  /// For a binding, the index of the edge; for a body, the index of its slot.
  package let causedBy: UInt32
  package let edgeGeneration: UInt16
  /// The source line of the write, as the interpreter's number; 0 if unknown.
  package let locationID: UInt32
  /// The action during which the slot changed, as the host's number; 0 if unknown.
  package let act: UInt16
  package let old: Old

  package enum Cause: UInt16 {
    case write, binding, body, function, input, making
  }

  /// The previous value.
  package enum Old {
    case value(Value)
    /// The beginning of a long string.
    case beginning(String)
    /// An object, identified by its header's index and generation.
    case object(index: UInt32, generation: UInt32)
    /// An object whose kind is not recorded.
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
    // Drop a last character that was cut off.
    var text = String(decoding: bytes, as: UTF8.self)
    if text.unicodeScalars.last == "\u{FFFD}" { text.unicodeScalars.removeLast() }
    self = .beginning(text)
  }
}
