import CTideJSON

/// Reads JSON token by token, strictly by the grammar of RFC 8259.
///
/// ```swift
/// try bytes.withUnsafeBufferPointer { bytes in
///   var json = JSONScanner(bytes, levels: 100)
///   while true {
///     switch try json.next() {
///     case .string, .key: print(json.text)
///     case .end: return
///     default: break
///     }
///   }
/// }
/// ```
///
/// It allocates no memory and holds only a position; the bytes must stay valid while it reads. An
/// unpaired surrogate becomes U+FFFD.
package struct JSONScanner {
  package enum Token: Equatable {
    case null
    case boolean(Bool)
    case integer(Int)
    /// Includes integers beyond 64 bits.
    case number(Double)
    /// The contents of a string or key are in `text`.
    case string
    case key
    case beginArray
    case endArray
    case beginObject
    case endObject
    /// The end of the text.
    case end
    /// No token yet: the call has scanned about `step` bytes, and the next call continues.
    case pause
  }

  /// The approximate number of bytes that one call scans.
  package static let step = Int(TIDE_JSON_STEP)

  private var json: TideJSON

  /// - Parameter levels: the maximum nesting depth of arrays and objects, at most 1000.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, levels: Int) {
    json = tide_json_begin(bytes.baseAddress, bytes.count, UInt32(levels))
  }

  package mutating func next() throws(JSONFault) -> Token {
    switch tide_json_next(&json) {
    case .null: return .null
    case .false: return .boolean(false)
    case .true: return .boolean(true)
    case .integer: return .integer(Int(json.integer))
    case .number: return .number(json.number)
    case .string: return .string
    case .key: return .key
    case .beginArray: return .beginArray
    case .endArray: return .endArray
    case .beginObject: return .beginObject
    case .endObject: return .endObject
    case .end: return .end
    case .pause: return .pause
    case .fault: throw fault
    }
  }

  /// An upper bound for the size of `text`, in bytes.
  package var textLimit: Int { json.end - json.start }

  /// The contents of the last string or key.
  package var text: String {
    guard textLimit > 0 else { return "" }
    return String(unsafeUninitializedCapacity: textLimit) { buffer in
      guard let room = buffer.baseAddress else { return 0 }
      return withUnsafePointer(to: json) { tide_json_copy($0, room) }
    }
  }

  private var fault: JSONFault {
    withUnsafePointer(to: json) { json in
      var (line, column) = (0, 0)
      tide_json_locate(json, &line, &column)
      let message = String(unsafeUninitializedCapacity: Int(TIDE_JSON_MESSAGE)) { buffer in
        buffer.withMemoryRebound(to: CChar.self) { room in
          room.baseAddress.map { tide_json_describe(json, $0) } ?? 0
        }
      }
      return JSONFault(
        message: message, offset: json.pointee.position, line: line, column: column)
    }
  }
}

/// A JSON syntax error with its location.
package struct JSONFault: Error {
  /// What was expected and what was found.
  package let message: String
  /// In bytes, from 0.
  package let offset: Int
  /// From 1.
  package let line: Int
  /// In bytes, from 1.
  package let column: Int
}
