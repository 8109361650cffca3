import CTideSlots

/// The bodies of a graph's slots and edges, by number. Each body is retained while a slot or an
/// edge uses it.
struct BodyTable {
  private let entries: UnsafeMutablePointer<Unmanaged<Body>?>
  private let header: UnsafeMutablePointer<Header>
  private let arena: UnsafeMutablePointer<TideArena>

  private struct Header {
    var count: UInt32 = 1
    var free: [UInt32] = []
  }

  init(_ arena: UnsafeMutablePointer<TideArena>) {
    self.arena = arena
    entries = tide_arena_bodies(arena).assumingMemoryBound(to: Unmanaged<Body>?.self)
    header = .allocate(capacity: 1)
    header.initialize(to: Header())
  }

  /// Reserves room for the given number of additional bodies. Returns false if that fails.
  func hasRoom(for count: Int) -> Bool {
    let missing = count - header.pointee.free.count
    return missing <= 0
      || tide_arena_grow_bodies(arena, UInt64(Int(header.pointee.count) + missing))
  }

  /// Increments a body's use count and returns the body's number.
  func retain(_ body: Body) -> UInt32 {
    body.uses += 1
    if body.index != 0 { return body.index }
    let index: UInt32
    if let free = header.pointee.free.popLast() {
      index = free
    } else {
      index = header.pointee.count
      if _slowPath(index >= arena.pointee.bodyCapacity) {
        precondition(
          tide_arena_grow_bodies(arena, UInt64(index) + 1),
          "the graph's table of functions is full, or the system refuses memory (see ulimit -v)")
      }
      header.pointee.count += 1
    }
    body.index = index
    (entries + Int(index)).initialize(to: Unmanaged.passRetained(body))
    return index
  }

  /// Decrements a body's use count, and releases the body at zero.
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

  /// Releases all bodies, even those in use. Call `end` afterwards.
  ///
  /// Releasing a body may free slots, whose bodies are then looked up. So each entry is cleared
  /// before its body is released.
  func releaseAll() {
    var index = 1
    while index < Int(header.pointee.count) {
      if let body = entries[index] {
        entries[index] = nil
        body._withUnsafeGuaranteedRef { ($0.index, $0.uses) = (0, 0) }
        body.release()
      }
      index += 1
    }
  }

  /// Frees the table itself, once no body is looked up any more.
  func end() {
    header.deinitialize(count: 1)
    header.deallocate()
  }

  @inline(__always)
  func with<B: Body, R>(_ index: UInt32, as type: B.Type, _ use: (B) throws -> R) rethrows -> R? {
    guard let body = entries[Int(index)] else { return nil }
    return try body._withUnsafeGuaranteedRef { try use(unsafeDowncast($0, to: B.self)) }
  }
}
