/// Bytes that have passed through the machine's network interfaces since it started.
struct NetworkCounters: Equatable {
  var received = 0
  var sent = 0

  /// What passes through these passes through another interface as well, or never leaves.
  private static let innerInterfaces = ["lo", "veth", "docker", "br-", "virbr", "ifb"]
}

extension NetworkCounters {
  /// Reads /proc/net/dev: two lines of headings, then an interface a line.
  init(parsing text: [UInt8]) {
    var scanner = FigureScanner(text)
    while scanner.nextLine() {
      guard let name = scanner.word(endingAt: ":"),
        let received = scanner.integer(),
        !Self.innerInterfaces.contains(where: name.hasPrefix)
      else { continue }
      scanner.skip(7)
      self.received += received
      sent += scanner.integer() ?? 0
    }
  }

  /// Bytes a second between an earlier reading and this one.
  func rates(since earlier: NetworkCounters, seconds: Double) -> (received: Int, sent: Int) {
    guard seconds > 0 else { return (0, 0) }
    // An interface that went away takes its count along.
    return (
      Int(Double(max(0, received - earlier.received)) / seconds),
      Int(Double(max(0, sent - earlier.sent)) / seconds)
    )
  }
}
