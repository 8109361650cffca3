import TideValues

/// The proxies that the environment names, understood as libcurl does: `http_proxy` (in lower case
/// only, because a web server sets the other for its programs), `https_proxy`, `all_proxy`, and
/// `no_proxy` for what is reached without one.
package struct HTTPProxies: Sendable {
  private var byScheme: [String: String] = [:]
  private var bypassed: [String] = []

  /// None.
  package init() {}

  /// - Parameter environment: gives an environment variable's value.
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

  /// The proxy by which a host is reached, with its scheme; nil where there is none.
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
