extension ChunkedArray {
  /// What is wrong with the structure, or nil; tests ask after every operation.
  var brokenInvariant: String? {
    if chunks.isEmpty { return "there is no chunk" }
    var start = 0
    for (index, chunk) in chunks.enumerated() {
      if chunk.elements.count > Self.capacity { return "chunk \(index) is too long" }
      if chunks.count > 1, chunk.elements.isEmpty { return "chunk \(index) is empty" }
      if self.start(ofChunk: index) != start { return "chunk \(index) starts elsewhere" }
      start += chunk.elements.count
    }
    if start != count { return "there are \(start) elements, not \(count)" }
    if Set(chunks.map(\.id)).count != chunks.count { return "two chunks have one identity" }
    return nil
  }
}
