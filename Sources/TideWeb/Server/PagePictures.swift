import NIOCore
import TideSystem
import TideValues

/// The pictures that pages show. A picture's address contains the SHA-256 hash of its bytes, so a
/// browser can keep it and never has to ask again, and no other picture has the same address.
///
/// Renderers add pictures on the threads of their apps; the server's thread sends them. A picture
/// stays while a view shows it, and afterwards until its memory is needed.
final class PagePictures: Sendable {
  private let limits: Limits
  private let state = Guarded(State())

  /// In bytes.
  struct Limits {
    /// Of pictures that no view shows any more.
    var unused = 64 << 20
    var total = 512 << 20
    /// Bytes that a picture counts in addition to its file.
    var weight = 1 << 10
  }

  private struct State {
    var pictures: [String: Picture] = [:]
    /// The addresses of pictures that no view shows, oldest first, from index `next` on. An entry
    /// is outdated if its picture has been shown since.
    var unused: [(address: String, turn: Int)] = []
    var next = 0
    var lastTurn = 0
    var unusedCount = 0
    var unusedSize = 0
    var size = 0

    mutating func noteUnused(_ address: String) {
      guard let picture = pictures[address] else { return }
      lastTurn += 1
      pictures[address]?.unusedSince = lastTurn
      unused.append((address, lastTurn))
      unusedCount += 1
      unusedSize += picture.size
      if unused.count > 2 * unusedCount + 64 {
        unused.removeSubrange(..<next)
        next = 0
        unused.removeAll { pictures[$0.address]?.unusedSince != $0.turn }
      }
    }

    mutating func noteUsed(_ address: String) {
      guard let picture = pictures[address], picture.unusedSince != nil else { return }
      pictures[address]?.unusedSince = nil
      unusedCount -= 1
      unusedSize -= picture.size
    }

    mutating func dropOldest() {
      while next < unused.count {
        let (address, turn) = unused[next]
        next += 1
        guard pictures[address]?.unusedSince == turn else { continue }
        noteUsed(address)
        size -= pictures.removeValue(forKey: address)?.size ?? 0
        return
      }
    }
  }

  private struct Picture {
    let content: ByteBuffer
    /// In bytes, including the overhead.
    let size: Int
    /// The number of views that show it.
    var uses = 0
    /// The value of `lastTurn` when the last view stopped showing it; nil while a view shows it.
    var unusedSince: Int?
  }

  init(_ limits: Limits = Limits()) { self.limits = limits }

  static func address(of bytes: [UInt8]) -> String {
    "/image-\(SHA256.hash(bytes).hexadecimal).png"
  }

  /// Stores a PNG picture for the lifetime of the result; nil if there is no room.
  func add(_ bytes: [UInt8]) -> (any ShownPicture)? {
    let address = Self.address(of: bytes)
    let size = bytes.count + limits.weight
    let isKept = state.withLock { state in
      if state.pictures[address] != nil {
        state.noteUsed(address)
      } else {
        while state.size + size > limits.total, state.unusedCount > 0 { state.dropOldest() }
        if state.size + size > limits.total { return false }
        state.pictures[address] = Picture(content: ByteBuffer(bytes: bytes), size: size)
        state.size += size
      }
      state.pictures[address]?.uses += 1
      return true
    }
    return isKept ? Use(address, self) : nil
  }

  private func release(_ address: String) {
    state.withLock { state in
      state.pictures[address]?.uses -= 1
      guard state.pictures[address]?.uses == 0 else { return }
      state.noteUnused(address)
      // A page may still be about to fetch the one that was shown last.
      while state.unusedSize > limits.unused, state.unusedCount > 1 { state.dropOldest() }
    }
  }

  subscript(address: String) -> ByteBuffer? { state.withLock { $0.pictures[address]?.content } }

  private final class Use: ShownPicture, Sendable {
    let address: String
    private let pictures: PagePictures

    init(_ address: String, _ pictures: PagePictures) {
      self.address = address
      self.pictures = pictures
    }

    deinit { pictures.release(address) }
  }
}

/// A picture that a view shows; released with the last reference.
protocol ShownPicture: AnyObject {
  var address: String { get }
}
