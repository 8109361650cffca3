import NIOCore
import TideSystem
import TideValues

/// The pictures that pages show. A picture's address contains the SHA-256 hash of its bytes, so a
/// browser can keep it and never has to ask again, and no other picture has the same address.
///
/// Renderers add them on the threads of their apps; the server's thread gives them. A picture stays
/// as long as a view shows it, and afterwards until others need its room.
final class PagePictures: Sendable {
  private let limits: Limits
  private let state = Guarded(State())

  /// In bytes.
  struct Limits {
    /// Of those that no view shows any more.
    var unused = 64 << 20
    var total = 512 << 20
  }

  private struct State {
    var pictures: [String: Picture] = [:]
    /// The addresses of pictures that no view shows, the oldest first.
    var unused: [String] = []
    var unusedSize = 0
    var size = 0
  }

  private struct Picture {
    let content: ByteBuffer
    /// How many views show it.
    var uses = 0
  }

  init(_ limits: Limits = Limits()) { self.limits = limits }

  static func address(of bytes: [UInt8]) -> String {
    "/image-\(SHA256.hash(bytes).hexadecimal).png"
  }

  /// Keeps a picture in PNG for as long as the result lives; nil where there are too many.
  func add(_ bytes: [UInt8]) -> (any ShownPicture)? {
    let address = Self.address(of: bytes)
    let isKept = state.withLock { state in
      if let known = state.pictures[address] {
        if known.uses == 0 {
          state.unused.removeAll { $0 == address }
          state.unusedSize -= known.content.readableBytes
        }
      } else {
        while state.size + bytes.count > limits.total, !state.unused.isEmpty {
          Self.dropOldest(&state)
        }
        if state.size + bytes.count > limits.total { return false }
        state.pictures[address] = Picture(content: ByteBuffer(bytes: bytes))
        state.size += bytes.count
      }
      state.pictures[address]?.uses += 1
      return true
    }
    return isKept ? Use(address, self) : nil
  }

  private func release(_ address: String) {
    state.withLock { state in
      guard var picture = state.pictures[address] else { return }
      picture.uses -= 1
      state.pictures[address] = picture
      if picture.uses > 0 { return }
      state.unused.append(address)
      state.unusedSize += picture.content.readableBytes
      // A page may still be about to fetch the one that was shown last.
      while state.unusedSize > limits.unused, state.unused.count > 1 { Self.dropOldest(&state) }
    }
  }

  private static func dropOldest(_ state: inout State) {
    let size = state.pictures.removeValue(forKey: state.unused.removeFirst())?.content.readableBytes
    state.unusedSize -= size ?? 0
    state.size -= size ?? 0
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
