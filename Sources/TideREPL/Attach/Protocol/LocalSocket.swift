import TideBindings
import TideSystem

/// Non-blocking Unix sockets that only this user's processes can use. Descriptors are closed on
/// `exec`.
enum LocalSocket {
  /// Listens at a path that does not exist yet; only the owner can access the file.
  static func listen(at path: String) throws(TideError) -> Int32 {
    let descriptor = try make()
    // Sets the mode with which `bind` creates the file.
    fchmod(descriptor, 0o600)
    let failure = withAddress(path) { bind(descriptor, $0, $1) == 0 ? 0 : errno }
    if failure != 0 {
      close(descriptor)
      throw .attach("nothing can listen at \(path)", failure)
    }
    guard chmod(path, 0o600) == 0, Glibc.listen(descriptor, 64) == 0 else {
      let failure = errno
      close(descriptor)
      unlink(path)
      throw .attach("nothing can listen at \(path)", failure)
    }
    return descriptor
  }

  enum Connection {
    case made(Int32)
    /// No process listens: the owner of the socket is dead.
    case stale
    case failed(Int32)
  }

  /// Connects, and verifies that the peer runs as the same user.
  static func connect(to path: String) -> Connection {
    guard let descriptor = try? make() else { return .failed(errno) }
    let failure = withAddress(path) { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
    if failure == 0, isOwn(descriptor) { return .made(descriptor) }
    close(descriptor)
    switch failure {
    case 0: return .failed(EACCES)
    case ECONNREFUSED, ENOENT, ENOTSOCK: return .stale
    default: return .failed(failure)
    }
  }

  enum Acceptance {
    case connected(Int32)
    /// The peer belongs to another user, or has already disconnected.
    case refused
    case none
    /// No file descriptors are left.
    case exhausted
  }

  static func accept(_ listener: Int32) -> Acceptance {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else {
      switch errno {
      case EAGAIN: return .none
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
      default: return .refused
      }
    }
    prepare(descriptor)
    if isOwn(descriptor) { return .connected(descriptor) }
    close(descriptor)
    return .refused
  }

  private static func make() throws(TideError) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    if descriptor < 0 { throw .attach("no socket can be made", errno) }
    prepare(descriptor)
    return descriptor
  }

  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// Whether the peer process runs as the same user.
  private static func isOwn(_ descriptor: Int32) -> Bool {
    // `struct ucred`, which Swift does not import: process, user, group.
    var peer: (process: Int32, user: UInt32, group: UInt32) = (0, .max, .max)
    var size = socklen_t(MemoryLayout.size(ofValue: peer))
    let failure = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size)
    return failure == 0 && peer.user == geteuid()
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      // The remaining zero bytes terminate the path.
      guard bytes.count < room.count else { return false }
      room.copyBytes(from: bytes)
      return true
    }
    if !fits { return ENAMETOOLONG }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
