import NIOCore
import TideValues

/// The pictures that pages show. A picture's address contains a hash of its bytes, so a browser can
/// keep it and never has to ask again.
///
/// Renderers add them on the threads of their apps; the server's thread gives them.
final class PagePictures: Sendable {
  private let state = Guarded(State())

  private struct State {
    var pictures: [String: ByteBuffer] = [:]
    /// The oldest first.
    var order: [String] = []
    var size = 0
  }

  /// In bytes.
  private static let most = 64 << 20

  /// Keeps a picture in PNG, and gives its address. The oldest are dropped where there are too
  /// many.
  func add(_ bytes: [UInt8]) -> String {
    let address = "/image-\(PageFiles.mark(of: bytes)).png"
    state.withLock { state in
      if state.pictures[address] != nil { return }
      state.pictures[address] = ByteBuffer(bytes: bytes)
      state.order.append(address)
      state.size += bytes.count
      while state.size > Self.most, state.order.count > 1 {
        let oldest = state.order.removeFirst()
        state.size -= state.pictures.removeValue(forKey: oldest)?.readableBytes ?? 0
      }
    }
    return address
  }

  subscript(address: String) -> ByteBuffer? { state.withLock { $0.pictures[address] } }
}
