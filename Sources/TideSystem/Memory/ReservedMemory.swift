/// Room for very many records of one kind, of which the system gives pages as they are first used.
///
/// Records never move, and growing copies nothing. Where address space is short, there is room for
/// fewer.
package struct ReservedMemory<Record> {
  package let records: UnsafeMutablePointer<Record>
  package let capacity: Int
  private let size: Int

  /// Reserves room for so many records, or for as many as the system allows; nil where it refuses
  /// even 64 KiB.
  package init?(capacity: Int) {
    var size = capacity * MemoryLayout<Record>.stride
    while size >= 1 << 16 {
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
      if let memory = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED {
        self.size = size
        self.capacity = size / MemoryLayout<Record>.stride
        records = memory.bindMemory(to: Record.self, capacity: self.capacity)
        return
      }
      size >>= 1
    }
    return nil
  }

  package func release() { munmap(records, size) }
}
