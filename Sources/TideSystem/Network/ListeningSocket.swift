/// A listening TCP socket, made before the server. Clients that connect in the meantime wait.
///
/// ```swift
/// let socket = try ListeningSocket(address: "127.0.0.1", port: 0)
/// print("http://127.0.0.1:\(socket.port)")
/// ```
///
/// An app can thus listen before it confines itself, which prevents new sockets. Releasing the
/// object closes the socket unless a server has taken it.
package final class ListeningSocket {
  package let port: Int
  package private(set) var descriptor: Int32

  /// Listens at a local address, on a free port if `port` is 0.
  ///
  /// - Throws: ``SystemError`` if the address is not local, or the port is in use or not permitted.
  package init(address: String, port: Int) throws(SystemError) {
    var storage = sockaddr_storage()
    guard let length = Self.fill(&storage, address, UInt16(clamping: port)) else {
      throw SystemError("\"\(address)\" is not an address such as 127.0.0.1 or ::1")
    }
    let made = socket(Int32(storage.ss_family), Int32(SOCK_STREAM.rawValue) | Self.closing, 0)
    guard made >= 0 else { throw SystemError("no socket can be made", number: errno) }
    descriptor = made
    var one: Int32 = 1
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    let isBound = withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, length) == 0 }
    }
    guard isBound, listen(made, 1024) == 0 else {
      let failure = errno
      close(made)
      throw SystemError("nothing can listen at \(Self.name(address, port))", number: failure)
    }
    self.port = Self.port(of: made)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Transfers ownership of the descriptor to the caller.
  package func take() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// Whether a text is an IPv4 or IPv6 address.
  package static func isAddress(_ text: String) -> Bool {
    var storage = sockaddr_storage()
    return fill(&storage, text, 0) != nil
  }

  /// The canonical form of an IPv4 or IPv6 address; nil for any other text.
  package static func canonicalAddress(_ text: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 16)
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)]
    where inet_pton(family, text, &bytes) == 1 {
      return bytes[..<count].withUnsafeBufferPointer { address($0) }
    }
    return nil
  }

  /// The text of an IPv4 or IPv6 address given as 4 or 16 bytes; nil for other lengths.
  package static func address(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes.baseAddress, &text, socklen_t(text.count)) != nil else {
      return nil
    }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The address and port in a URL's syntax.
  package static func name(_ address: String, _ port: Int) -> String {
    (address.contains(":") ? "[\(address)]" : address) + ":\(port)"
  }

  private static var closing: Int32 { Int32(SOCK_CLOEXEC.rawValue) }

  private static func fill(
    _ storage: inout sockaddr_storage, _ address: String, _ port: UInt16
  ) -> socklen_t? {
    withUnsafeMutablePointer(to: &storage) { pointer in
      let isIPv4 = pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
        pointer.pointee.sin_family = sa_family_t(AF_INET)
        pointer.pointee.sin_port = port.bigEndian
        return inet_pton(AF_INET, address, &pointer.pointee.sin_addr) == 1
      }
      if isIPv4 { return socklen_t(MemoryLayout<sockaddr_in>.size) }
      let isIPv6 = pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
        pointer.pointee = sockaddr_in6()
        pointer.pointee.sin6_family = sa_family_t(AF_INET6)
        pointer.pointee.sin6_port = port.bigEndian
        return inet_pton(AF_INET6, address, &pointer.pointee.sin6_addr) == 1
      }
      return isIPv6 ? socklen_t(MemoryLayout<sockaddr_in6>.size) : nil
    }
  }

  private static func port(of descriptor: Int32) -> Int {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
      // The port is at the same offset in both address families.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        Int(UInt16(bigEndian: $0.pointee.sin_port))
      }
    }
  }
}
