package import TideSystem

/// A JSON-RPC message.
package enum ProtocolMessage: Equatable, Sendable {
  case request(RequestID, method: String, JSONValue)
  case notification(method: String, JSONValue)
  /// The client's response to a request from the server; the result is null after an error.
  case response(RequestID, JSONValue)
  /// An invalid message, with its request id if known.
  case invalid(RequestID?, ResponseError)

  package init(parsing bytes: [UInt8]) {
    do throws(JSONFault) {
      self.init(try JSONValue(parsing: bytes))
    } catch {
      self = .invalid(
        nil,
        ResponseError(
          .parseError,
          "invalid JSON at line \(error.line), column \(error.column): \(error.message)"
        ))
    }
  }

  private init(_ value: JSONValue) {
    guard value.fields != nil else {
      let what = value.array == nil ? "a message must be an object" : "batches are not supported"
      self = .invalid(nil, ResponseError(.invalidRequest, what))
      return
    }
    let id = RequestID(value["id"])
    guard let method = value["method"].string else {
      if let id, value["method"].isNull, value.hasField("result") || value.hasField("error") {
        self = .response(id, value["result"])
      } else {
        self = .invalid(id, ResponseError(.invalidRequest, "the message has no method"))
      }
      return
    }
    let params = value["params"]
    guard params.isNull || params.fields != nil || params.array != nil else {
      let error = ResponseError(.invalidParams, "params must be an object or an array")
      self = .invalid(id, error)
      return
    }
    if let id {
      self = .request(id, method: method, params)
    } else if value.hasField("id") {
      self = .invalid(nil, ResponseError(.invalidRequest, "an id must be a number or a string"))
    } else {
      self = .notification(method: method, params)
    }
  }
}

extension JSONValue {
  fileprivate func hasField(_ name: String) -> Bool {
    fields?.contains { $0.name == name } ?? false
  }
}

/// A request id; the number 1 and the string "1" are different ids.
package enum RequestID: Hashable, Sendable {
  case number(Int)
  case string(String)

  init?(_ value: JSONValue) {
    if let number = value.int {
      self = .number(number)
    } else if let text = value.string {
      self = .string(text)
    } else {
      return nil
    }
  }

  var json: JSONValue {
    switch self {
    case .number(let number): .int(number)
    case .string(let text): .string(text)
    }
  }
}
