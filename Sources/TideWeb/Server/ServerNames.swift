import TideBindings
import TideSystem

/// The names under which browsers may address a server.
struct ServerNames {
  /// The address of the app, without a path.
  let address: String
  private(set) var origins: [String: String] = [:]
  let anyAddress: RequestRules.AnyAddress?
  /// The host in the address, if the certificate is not valid for it and browsers show a warning;
  /// otherwise nil.
  let uncertified: String?

  /// - Parameter certified: the names in its certificate.
  /// - Throws: `serving` if the external URL is invalid or has a path.
  init(
    _ options: WebOptions, port: Int, _ certified: [String], _ isEncrypted: Bool
  ) throws(TideError) {
    let scheme = isEncrypted ? "https" : "http"
    let isForAll = ["0.0.0.0", "::"].contains(options.address)
    anyAddress = isForAll ? .init(port: port, scheme: scheme) : nil
    var hosts: [String] = []
    if !isForAll { hosts.append(ListeningSocket.name(options.address, port)) }
    if isForAll || options.isLoopback { hosts.append("localhost:\(port)") }
    let isStandard = port == (isEncrypted ? 443 : 80)
    let named = certified.filter { !$0.hasPrefix("*") }.map { ListeningSocket.name($0, port) }
    for host in hosts + named {
      origins[host] = "\(scheme)://\(host)"
      guard isStandard else { continue }
      // Browsers leave the standard port out.
      let bare = String(host.dropLast(":\(port)".count))
      origins[bare] = "\(scheme)://\(bare)"
    }
    if let url = options.externalURL {
      let origin = try Self.origin(url)
      origins[Self.host(ofOrigin: origin)] = origin
      address = origin
      // A proxy may encrypt with a certificate of its own.
      uncertified = nil
    } else {
      let certifiedHost = isForAll ? named.first : hosts.first(where: named.contains)
      let host = certifiedHost ?? (options.isLoopback ? nil : named.first) ?? hosts[0]
      address = "\(scheme)://\(host)"
      uncertified =
        isEncrypted && !named.contains(host) ? String(host.dropLast(":\(port)".count)) : nil
    }
  }

  private static func host(ofOrigin origin: String) -> String {
    origin.firstRange(of: "://").map { String(origin[$0.upperBound...]) } ?? origin
  }

  /// Whether a host, which may be an IPv6 address in brackets, has no port or a valid one.
  private static func hasFittingPort(_ host: String) -> Bool {
    let rest: Substring
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]"),
        ListeningSocket.isAddress(String(host[host.index(after: host.startIndex)..<end]))
      else { return false }
      rest = host[host.index(after: end)...]
    } else {
      if host.contains("]") || host.contains("[") { return false }
      rest = host.firstIndex(of: ":").map { host[$0...] } ?? ""
      if host.hasPrefix(":") { return false }
    }
    if rest.isEmpty { return true }
    guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()) else { return false }
    return (1...65535).contains(port)
  }

  private static func origin(_ url: String) throws(TideError) -> String {
    var origin = url.lowercased()
    if origin.hasSuffix("/") { origin.removeLast() }
    // Browsers leave the standard port out.
    for (scheme, port) in [("https:", ":443"), ("http:", ":80")]
    where origin.hasPrefix(scheme) && origin.hasSuffix(port) {
      origin.removeLast(port.count)
    }
    let host = host(ofOrigin: origin)
    let isOrigin =
      (origin.hasPrefix("https://") || origin.hasPrefix("http://")) && !host.isEmpty
      && host.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || ".-:[]".utf8.contains(byte)
      } && hasFittingPort(host)
    guard isOrigin else {
      throw TideError(
        .serving,
        "\"\(url)\" is not a URL like https://app.example.org: it needs http or https and a host, and "
          + "can have no path")
    }
    return origin
  }
}
