import Testing

@testable import TideScript

@Suite struct SharedDocumentTests {
  @Test func `many small fields weigh more than their bytes`() {
    var document = SharedDocument()
    for number in 0..<1000 { document["\(number)"] = [] }
    let bytes = document.bytes
    #expect(bytes.count < 10_000)
    #expect(SharedDocument.weightOfFields(in: bytes) > 100_000)
    #expect(SharedDocument(bytes)?.fields.count == 1000)
  }

  @Test func `a document that names more fields than it has room for is none`() {
    // Version, writer, number, cause and updates; then a count and so many bytes.
    let head: [UInt8] = [1, 0, 0, 0, 0]
    for (count, rest): (UInt8, Int) in [(4, 11), (127, 300), (1, 2)] {
      let bytes = head + [count] + [UInt8](repeating: 0, count: rest)
      #expect(SharedDocument(bytes) == nil)
      #expect(SharedDocument.weightOfFields(in: bytes) == 0)
    }
    #expect(SharedDocument(head + [1, 0, 0, 0])?.fields.count == 1)
  }
}
