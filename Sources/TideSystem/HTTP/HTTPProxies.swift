import TideValues

/// The proxies configured by the environment, as in libcurl: `http_proxy` (lower case only, because
/// web servers set `HTTP_PROXY` for CGI programs), `https_proxy`, `all_proxy`, and `no_proxy` for
/// exceptions.
package struct HTTPProxies: Sendable {
  private var byScheme: [String: String] = [:]
  private var bypassed: [String] = []

  /// No proxies.
  package init() {}

  /// - Parameter environment: returns an environment variable's value.
  package init(environment: (String) -> String?) {
    func first(_ names: String...) -> String? {
      names.lazy.compactMap(environment).first { !$0.isEmpty }
    }
    let all = first("all_proxy", "ALL_PROXY")
    byScheme["http"] = first("http_proxy") ?? all
    byScheme["https"] = first("https_proxy", "HTTPS_PROXY") ?? all
    bypassed = (first("no_proxy", "NO_PROXY") ?? "").split { ", \t".contains($0) }.map {
      String($0.hasPrefix(".") ? $0.dropFirst() : $0).lowercased()
    }
  }

  package static var ofEnvironment: HTTPProxies {
    HTTPProxies { name in getenv(name).map { String(cString: $0) } }
  }

  /// The proxy URL for a host, with a scheme; nil without a proxy.
  package func proxy(scheme: String, host: String) -> String? {
    guard let proxy = byScheme[scheme], !bypassed.contains(where: { Self.covers($0, host) }) else {
      return nil
    }
    return proxy.contains("://") ? proxy : "http://" + proxy
  }

  private static func covers(_ pattern: String, _ host: String) -> Bool {
    if pattern == "*" { return true }
    guard let address = NetworkAddress(host) else {
      return host == pattern || host.hasSuffix("." + pattern)
    }
    let parts = pattern.split(separator: "/", maxSplits: 1).map(String.init)
    let text = parts.first?.filter { $0 != "[" && $0 != "]" } ?? ""
    guard let network = NetworkAddress(text) else { return false }
    let bits = parts.count == 2 ? Int(parts[1]) ?? -1 : network.bytes.count * 8
    return address.matches(network, bits: bits)
  }
}
