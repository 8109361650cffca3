import Fuzzing
import Testing

@testable import TideBindings

@Suite struct ChunkedArrayTests {
  @Test(arguments: [0, 1, 256, 257, 5000])
  func `random edits agree with a plain array`(size: Int) {
    var random = SeededGenerator("chunked array")
    var plain = Array(0..<size)
    var chunked = ChunkedArray(plain)
    for step in 0..<4000 {
      // Phases of growth and of shrinking, at random places or all at one.
      let grows = (step / 1000) % 2 == 0
      let isHere = (step / 500) % 2 == 0
      if Int.random(in: 0..<10, using: &random) < (grows ? 7 : 3) || plain.isEmpty {
        let position = isHere ? plain.count / 2 : Int.random(in: 0...plain.count, using: &random)
        plain.insert(step, at: position)
        chunked.insert(step, at: position)
      } else {
        let position = isHere ? plain.count / 2 : Int.random(in: plain.indices, using: &random)
        #expect(chunked.remove(at: position).element == plain.remove(at: position))
      }
      if !plain.isEmpty {
        let position = Int.random(in: plain.indices, using: &random)
        #expect(chunked[position] == plain[position])
        plain[position] = -step
        chunked[position] = -step
      }
      #expect(chunked.count == plain.count)
      if step % 50 == 0 {
        #expect(chunked.brokenInvariant == nil)
        #expect(Array(chunked) == plain)
        let start = Int.random(in: 0...plain.count, using: &random)
        let end = Int.random(in: start...plain.count, using: &random)
        #expect(chunked.elements(in: start..<end) == Array(plain[start..<end]))
      }
    }
  }

  @Test func `emptying it chunk by chunk leaves one empty chunk`() {
    var chunked = ChunkedArray(0..<2000)
    while !chunked.isEmpty {
      chunked.remove(at: 0)
      #expect(chunked.brokenInvariant == nil)
    }
    chunked.insert(1, at: 0)
    #expect(Array(chunked) == [1])
  }
}
