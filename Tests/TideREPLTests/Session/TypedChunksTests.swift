import Testing

@testable import TideREPL

@Suite struct TypedChunksTests {
  @Test func `of very many chunks the latest are kept`() {
    var chunks = TypedChunks()
    for number in 1...25_000 { chunks.add("x = \(number)") }
    #expect(chunks.texts.count <= 10_000 && chunks.texts.count >= 5000)
    #expect(chunks.last == "x = 25000")
    #expect(chunks.texts.first == "x = \(25_001 - chunks.texts.count)")
  }

  @Test func `of very long chunks the last is kept`() {
    var chunks = TypedChunks()
    for letter in ["a", "b", "c"] { chunks.add(String(repeating: letter, count: 20 << 20)) }
    #expect(chunks.texts.count == 1 && chunks.last?.first == "c")
  }
}
