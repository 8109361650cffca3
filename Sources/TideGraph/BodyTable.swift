/// The bodies that slots and edges name by number, each kept as long as one of them uses it.
struct BodyTable {
  private let entries: UnsafeMutablePointer<Unmanaged<Body>?>
  private let header: UnsafeMutablePointer<Header>

  private struct Header {
    var count: UInt32 = 1
    var capacity: UInt32
    var free: [UInt32] = []
  }

  init(scratch: inout Scratch) {
    let count = scratch.size / 4 / MemoryLayout<Unmanaged<Body>?>.stride
    entries = scratch.take(Unmanaged<Body>?.self, count: count)
    header = .allocate(capacity: 1)
    header.initialize(to: Header(capacity: UInt32(clamping: count)))
  }

  func hasRoom(for count: Int) -> Bool {
    Int(header.pointee.count) - header.pointee.free.count + count <= Int(header.pointee.capacity)
  }

  /// Counts one more use of a body and gives its number.
  func retain(_ body: Body) -> UInt32 {
    body.uses += 1
    if body.index != 0 { return body.index }
    let index: UInt32
    if let free = header.pointee.free.popLast() {
      index = free
    } else {
      index = header.pointee.count
      precondition(index < header.pointee.capacity, "the graph's table of functions is full")
      header.pointee.count += 1
    }
    body.index = index
    (entries + Int(index)).initialize(to: Unmanaged.passRetained(body))
    return index
  }

  /// Counts one use less.
  func release(_ index: UInt32) {
    guard index != 0, let body = entries[Int(index)] else { return }
    let last = body._withUnsafeGuaranteedRef { body in
      body.uses -= 1
      if body.uses == 0 { body.index = 0 }
      return body.uses == 0
    }
    guard last else { return }
    entries[Int(index)] = nil
    header.pointee.free.append(index)
    body.release()
  }

  func releaseAll() {
    for index in 1..<Int(header.pointee.count) { entries[index]?.release() }
    header.deinitialize(count: 1)
    header.deallocate()
  }

  @inline(__always)
  func with<B: Body, R>(_ index: UInt32, as type: B.Type, _ use: (B) throws -> R) rethrows -> R? {
    guard let body = entries[Int(index)] else { return nil }
    return try body._withUnsafeGuaranteedRef { try use(unsafeDowncast($0, to: B.self)) }
  }
}
