import TideLanguageServer
import Testing

@Suite struct `Framing messages` {
  private func messages(_ pieces: [[UInt8]]) throws -> [String] {
    var framer = MessageFramer()
    var messages: [String] = []
    for piece in pieces {
      try piece.withUnsafeBytes { bytes throws -> Void in
        try framer.add(bytes) { messages.append(String(decoding: $0, as: UTF8.self)) }
      }
    }
    return messages
  }

  private func messages(_ text: String) throws -> [String] { try messages([Array(text.utf8)]) }

  private func fault(_ text: String) -> String? {
    do {
      _ = try messages(text)
      return nil
    } catch {
      return (error as? MessageFramer.Fault)?.message
    }
  }

  private let two = "Content-Length: 5\r\n\r\n{\"a\"}Content-Length: 4\r\n\r\n\"ä\""

  @Test func `several in one read are separated`() throws {
    #expect(try messages(two) == ["{\"a\"}", "\"ä\""])
  }

  @Test func `a split at any byte changes nothing`() throws {
    let bytes = Array(two.utf8)
    for split in 0...bytes.count {
      #expect(try messages([Array(bytes[..<split]), Array(bytes[split...])]).count == 2)
    }
    #expect(try messages(bytes.map { [$0] }) == ["{\"a\"}", "\"ä\""])
  }

  @Test func `other fields, any case, and blanks around values are accepted`() throws {
    let text = """
      content-LENGTH :  2 \r
      Content-Type: application/vscode-jsonrpc; charset=utf-8\r
      \r
      []
      """
    #expect(try messages(text) == ["[]"])
  }

  @Test func `header lines may end with a line feed alone`() throws {
    #expect(try messages("Content-Length: 2\n\n{}") == ["{}"])
  }

  @Test func `an empty message is a message`() throws {
    #expect(try messages("Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n1") == ["", "1"])
  }

  @Test(arguments: [
    ("Content-Type: x\r\n\r\n", "a message's header lacks Content-Length"),
    ("\r\n", "a message's header lacks Content-Length"),
    ("Content-Length: -1\r\n\r\n", "invalid Content-Length: -1"),
    ("Content-Length: 1e3\r\n\r\n", "invalid Content-Length: 1e3"),
    ("Content-Length:\r\n\r\n", "invalid Content-Length: "),
    (
      "Content-Length: 99999999999999999999\r\n\r\n",
      "invalid Content-Length: 99999999999999999999"
    ),
    (
      "Content-Length: 67108865\r\n\r\n", "a message has 67108865 bytes; at most 64 MiB are read"
    ),
    ("{\"jsonrpc\"}\n\n", "a message's header has a line without a colon: {\"jsonrpc\"}"),
  ])
  func `a header without a length ends the connection`(text: String, message: String) {
    #expect(fault(text) == message)
  }

  @Test func `a header without an end does not grow`() {
    #expect(
      fault("X: " + String(repeating: "y", count: 5000))
        == "a message's header has more than 4096 bytes")
  }

  @Test func `a framed message is read back`() throws {
    #expect(try messages([MessageFramer.frame(Array("{}".utf8))]) == ["{}"])
  }
}
