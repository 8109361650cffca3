import TideValues

extension LuaAccess {
  /// A server, or the subdomains of a name, that scripts may connect to.
  ///
  /// ```swift
  /// var configuration = LuaConfiguration()
  /// configuration.access.network = [
  ///   try LuaAccess.Host("api.example.com"),       // that name, on any port
  ///   try LuaAccess.Host("*.example.org:443"),     // all names below it, on one port
  ///   try LuaAccess.Host("[::1]:8080"),
  /// ]
  /// ```
  ///
  /// A name matches exactly: `example.com` does not cover `www.example.com`, and `*.example.com`
  /// does not cover `example.com`.
  public struct Host: Sendable, Hashable, CustomStringConvertible {
    /// In lower case and without a trailing dot; an address in canonical form.
    let name: String
    /// Whether it stands for all subdomains.
    let isWildcard: Bool
    /// The only port; nil for all.
    public let port: Int?

    /// Parses a name or an address (IPv6 in brackets), optionally followed by a colon and a port.
    ///
    /// - Throws: ``LuaError`` with the reason why the text is invalid.
    public init(_ text: String) throws(LuaError) {
      func wrong(_ reason: String) -> LuaError {
        LuaError(.runtime, "\"\(text)\" names no host: \(reason)")
      }
      if text.contains("/") { throw wrong("write the host alone, as in example.com:443") }
      var host = text[...]
      var port: Int?
      let colon = text.lastIndex(of: ":")
      if let colon, !text[colon...].contains("]") {
        if !text.hasPrefix("["), text[..<colon].contains(":") {
          throw wrong("write brackets around an IPv6 address, as in [::1]:8080")
        }
        let digits = text[text.index(after: colon)...]
        if digits == "*" { throw wrong("leave the port out to allow all") }
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits),
          (1...65535).contains(number)
        else { throw wrong("a port is a number from 1 to 65535") }
        port = number
        host = text[..<colon]
      }
      self.port = port
      isWildcard = host.hasPrefix("*.")
      if isWildcard { host = host.dropFirst(2) }
      guard let name = Self.normal(String(host)), !isWildcard || NetworkAddress(name) == nil else {
        throw wrong(
          host.contains("*")
            ? "a star stands alone before the first dot, as in *.example.com"
            : "write a name, as in example.com, or an address")
      }
      self.name = name
    }

    /// The syntax used after `net=`.
    public var description: String {
      let shown = name.contains(":") ? "[\(name)]" : name
      return (isWildcard ? "*." : "") + shown + (port.map { ":\($0)" } ?? "")
    }

    func covers(_ host: String, _ port: Int) -> Bool {
      if let only = self.port, only != port { return false }
      return isWildcard ? host.hasSuffix("." + name) && NetworkAddress(host) == nil : host == name
    }

    /// The normalized form of a name for comparisons; nil for an invalid name.
    static func normal(_ text: String) -> String? {
      if text.hasPrefix("["), text.hasSuffix("]") {
        let inside = String(text.dropFirst().dropLast())
        return inside.contains(":") ? NetworkAddress(inside)?.description : nil
      }
      let name = (text.hasSuffix(".") ? String(text.dropLast()) : text).lowercased()
      let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      let isPlain = labels.allSatisfy { label in
        !label.isEmpty
          && label.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
              UInt8(ascii: "-"), UInt8(ascii: "_"):
              true
            default: false
            }
          }
      }
      return isPlain && name.utf8.count <= 253 ? name : nil
    }
  }

  /// Whether scripts may connect to a port of a host: a name, or an address without brackets.
  package func permits(host: String, port: Int) -> Bool {
    let name =
      host.contains(":") ? NetworkAddress(host)?.description : Host.normal(host)
    guard let name else { return false }
    return network.contains { $0.covers(name, port) }
  }

  /// Whether a host name may resolve to an address.
  ///
  /// An attacker could make a name resolve to this machine, where servers trust local clients.
  /// Therefore only `localhost`, and an address that was itself allowed, may refer to loopback and
  /// link-local addresses.
  package static func mayLead(_ host: String, to address: String) -> Bool {
    guard let target = NetworkAddress(address) else { return false }
    if let literal = NetworkAddress(host) { return literal == target }
    return !target.isLocal || Host.normal(host) == "localhost"
  }

  /// The reason why scripts may not connect to a port of a host, with a remedy; nil if they may.
  package func refusal(host: String, port: Int) -> String? {
    if permits(host: host, port: port) { return nil }
    let shown = (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    return "connecting to \"\(shown)\" is not allowed; \(remedy) net=\(shown)"
  }

  /// The reason why scripts may not connect to the address of a host; nil if they may.
  package func refusal(host: String, address: String, port: Int) -> String? {
    if let refusal = refusal(host: host, port: port) { return refusal }
    if Self.mayLead(host, to: address) { return nil }
    let shown = (address.contains(":") ? "[\(address)]" : address) + ":\(port)"
    return
      "connecting to \"\(host)\" is not allowed: it resolves to \(address), a loopback or link-local address; request the address itself, and \(remedy) net=\(shown)"
  }

  private var remedy: String { namesFlags ? "run with --allow" : "the host can allow" }

  /// Whether scripts may start a program by this name.
  package func permits(program: String) -> Bool { run || programs.contains(program) }

  /// The only ports that scripts may connect to; nil if all ports of some host are allowed.
  package var onlyPorts: Set<Int>? {
    let ports = network.compactMap(\.port)
    return ports.count == network.count ? Set(ports) : nil
  }
}
