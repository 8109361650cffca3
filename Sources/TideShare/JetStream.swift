import TideScript
import TideSystem

/// How a bucket's keys and the server's interface are named and written, as NATS describes them.
///
/// Source: the key-value and JetStream API of NATS (ADR-8, ADR-17).
struct JetStream {
  let bucket: String

  var stream: String { "KV_\(bucket)" }
  var infoSubject: String { "$JS.API.STREAM.INFO.\(stream)" }
  var creationSubject: String { "$JS.API.STREAM.CREATE.\(stream)" }
  func creationSubject(ofConsumer name: String) -> String {
    "$JS.API.CONSUMER.CREATE.\(stream).\(name)"
  }
  func deletionSubject(ofConsumer name: String) -> String {
    "$JS.API.CONSUMER.DELETE.\(stream).\(name)"
  }

  /// The subject that requests to delete single messages are sent to.
  var messageDeletionSubject: String { "$JS.API.STREAM.MSG.DELETE.\(stream)" }

  // MARK: Keys

  /// All subjects of a model.
  func filter(ofModel model: String) -> String { "$KV.\(bucket).\(Self.token(model)).>" }

  /// `$KV.tidelock.room.-` for the model itself, `$KV.tidelock.room.members.a1` for a row.
  func subject(_ key: SharingKey, ofModel model: String) -> String {
    let start = "$KV.\(bucket).\(Self.token(model))."
    return switch key {
    case .model: start + "-"
    case .row(let list, let id): "\(start)\(Self.token(list)).\(Self.token(id))"
    }
  }

  /// The subject of a model's horizon (``RemovalMarks``), which is not a key of the model.
  func horizonSubject(ofModel model: String) -> String {
    "$KV.\(bucket).\(Self.token(model)).-.horizon"
  }

  /// The key that a subject of a model stands for; nil for subjects of other programs.
  static func key(ofSubject subject: String) -> SharingKey? {
    let tokens = subject.split(separator: ".", omittingEmptySubsequences: false)
    if tokens.count == 4, tokens[3] == "-" { return .model }
    // Each name has one valid spelling. The server would treat another spelling as a key of its
    // own.
    guard tokens.count == 5, let list = name(tokens[3]), let id = name(tokens[4]),
      token(list) == tokens[3], token(id) == tokens[4], !list.isEmpty, !id.isEmpty,
      id.utf8.count <= longestID, id.utf8.allSatisfy(isPlain)
    else {
      return nil
    }
    return .row(list: list, id: id)
  }

  private static let longestID = 32

  /// A name as a part of a subject: characters other than letters, digits and _ are escaped as `=`
  /// and two digits.
  static func token(_ name: String) -> String {
    if name.utf8.allSatisfy(isPlain), !name.isEmpty { return name }
    var token = name.isEmpty ? "=" : ""
    for byte in name.utf8 {
      if isPlain(byte) {
        token.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        token += "=" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return token
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
  }

  static func name(_ token: Substring) -> String? {
    if token == "=" { return "" }
    var bytes: [UInt8] = []
    var rest = Array(token.utf8)[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "=") {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  // MARK: Requests

  /// The request that creates the bucket: it stores the last value of each key, in a file.
  func creation(replicas: Int) -> [UInt8] {
    Array(
      """
      {"name":"\(stream)","subjects":["$KV.\(bucket).>"],"retention":"limits","storage":"file",\
      "max_msgs_per_subject":1,"max_msgs":-1,"max_bytes":-1,"max_age":0,"max_msg_size":-1,\
      "max_consumers":-1,"discard":"new","num_replicas":\(replicas),"allow_rollup_hdrs":true,\
      "deny_delete":false,"duplicate_window":120000000000}
      """.utf8)
  }

  /// The request that creates a consumer, which delivers a model's keys.
  ///
  /// - Parameter sequence: the first revision to deliver; nil for the last one of each key.
  func consumer(
    _ name: String, ofModel model: String, to subject: String, from sequence: Int?
  ) -> [UInt8] {
    let start =
      sequence.map { "\"by_start_sequence\",\"opt_start_seq\":\($0)" } ?? "\"last_per_subject\""
    return Array(
      """
      {"stream_name":"\(stream)","config":{"name":"\(name)","deliver_subject":"\(subject)","deliver_policy":\(start),\
      "ack_policy":"none","max_deliver":1,"filter_subject":"\(filter(ofModel: model))",\
      "replay_policy":"instant","flow_control":true,"idle_heartbeat":\(Self.beat * 1_000_000_000),\
      "inactive_threshold":30000000000,"mem_storage":true,"num_replicas":1}}
      """.utf8)
  }

  /// The request that deletes the message of a revision. A purge of its subject would do the same,
  /// but servers of version 2.9 then skip messages that they have not yet sent to any consumer of
  /// the bucket.
  static func deletion(of revision: Int) -> [UInt8] {
    Array("{\"seq\":\(revision),\"no_erase\":true}".utf8)
  }

  /// The seconds between the heartbeats of an idle consumer.
  static let beat = 2

  /// What the reply subject says about a message: its revision, its sequence number in the
  /// consumer, and the number of pending messages.
  struct Position {
    let consumer: String
    let revision: Int
    let order: Int
    /// When the server received the message, in seconds.
    let time: Double
    let rest: Int

    init?(reply: String) {
      let parts = reply.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count >= 9, parts[0] == "$JS", parts[1] == "ACK" else { return nil }
      // Newer servers insert a domain and an account, and append a random part.
      let start = parts.count == 9 ? 2 : 4
      guard parts.count >= start + 7, let revision = Int(parts[start + 3]),
        let order = Int(parts[start + 4]), let time = Double(parts[start + 5]),
        let rest = Int(parts[start + 6]),
        (1...Int.max / 2).contains(revision), order > 0, rest >= 0
      else { return nil }
      consumer = String(parts[start + 1])
      (self.revision, self.order, self.rest) = (revision, order, rest)
      self.time = time / 1e9
    }
  }
}

/// The fields of a server's answer.
struct ServerAnswer {
  /// Values by name; the names of nested objects are joined by dots.
  private var values: [String: String] = [:]

  init(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { buffer in
      var json = JSONScanner(buffer, levels: 20)
      var names: [String?] = []
      var name: String?
      func path() -> String { (names + [name]).compactMap { $0 }.joined(separator: ".") }
      loop: while let token = try? json.next() {
        switch token {
        case .end: break loop
        case .key: name = json.text
        case .beginObject, .beginArray:
          names.append(name)
          name = nil
        case .endObject, .endArray: name = names.popLast() ?? nil
        case .string: values[path()] = json.text
        case .integer(let number): values[path()] = String(number)
        case .number(let number): values[path()] = String(number)
        case .boolean(let flag): values[path()] = String(flag)
        default: break
        }
      }
    }
  }

  subscript(name: String) -> String? { values[name] }
  func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }

  /// An error of the server.
  struct Failure {
    let code: Int
    let text: String
    var isMissing: Bool { code == 10_059 }
    /// The bucket does not allow the deletion of messages.
    var isForbidden: Bool { text.contains("not permitted") }
    /// The message with that number does not exist any more.
    var isOfMissingMessage: Bool {
      code == 10_043 || text.contains("no message found") || text.contains("deleted message")
    }
    /// The subject's revision differs from the expected one.
    var isStale: Bool { code == 10_071 || code == 10_164 }
  }

  var failure: Failure? {
    guard let text = values["error.description"] else { return nil }
    return Failure(code: number("error.err_code") ?? 0, text: text)
  }
}
