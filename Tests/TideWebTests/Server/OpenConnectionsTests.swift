import NIOCore
import NIOEmbedded
import Testing

@testable import TideWeb

@Suite struct OpenConnectionsTests {
  private var limits: PageServer.Limits {
    var limits = PageServer.Limits()
    limits.viewers = 32
    limits.waiting = 4
    return limits
  }

  private func channel(_ address: String) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    let remote = try SocketAddress(ipAddress: address, port: 1)
    try channel.connect(to: remote).wait()
    return channel
  }

  @Test func `where too many wait, the oldest of the address with most of them goes`() throws {
    let connections = OpenConnections(limits)
    let innocent = try channel("192.0.2.1")
    _ = connections.add(innocent)
    let flood = try (0..<20).map { _ in
      let channel = try channel("192.0.2.2")
      _ = connections.add(channel)
      return channel
    }
    #expect(innocent.isActive)
    #expect(flood.map(\.isActive) == Array(repeating: false, count: 17) + [true, true, true])
  }

  @Test func `one that closes by itself, or is let in, is passed over`() throws {
    let connections = OpenConnections(limits)
    var channels: [EmbeddedChannel] = []
    for index in 0..<4 {
      channels.append(try channel("192.0.2.1"))
      #expect(connections.add(channels[index]) == index + 1)
    }
    #expect(connections.admit(1, PlaceHolder(browser: "a", address: nil)) == nil)
    channels[1].close(promise: nil)
    channels[1].embeddedEventLoop.run()
    for _ in 0..<3 {
      channels.append(try channel("192.0.2.1"))
      _ = connections.add(channels[channels.count - 1])
    }
    #expect(channels.map(\.isActive) == [true, false, false, true, true, true, true])
  }

  @Test func `a browser holds a quarter of the places, and an address a half`() throws {
    let connections = OpenConnections(limits)
    func admit(_ browser: String?, _ address: String?) throws -> PageRefusal? {
      let number = connections.add(try channel("192.0.2.9"))
      return connections.admit(number, PlaceHolder(browser: browser, address: address))
    }
    for _ in 0..<8 { #expect(try admit("ann", "192.0.2.1") == nil) }
    #expect(try admit("ann", "192.0.2.1") == .overShare)
    #expect(try admit("ann", "192.0.2.2") == .overShare)
    for number in 0..<8 { #expect(try admit("bob \(number)", "192.0.2.1") == nil) }
    #expect(try admit("eve", "192.0.2.1") == .overShare)
    for number in 0..<16 { #expect(try admit("other \(number)", nil) == nil) }
    #expect(try admit("last", nil) == .full)
  }

  @Test func `a person holds a share, whichever browsers they use`() throws {
    let connections = OpenConnections(limits)
    func admit(_ person: String, _ browser: String) throws -> PageRefusal? {
      let number = connections.add(try channel("192.0.2.9"))
      return connections.admit(
        number, PlaceHolder(person: person, browser: browser, address: nil))
    }
    for number in 0..<8 { #expect(try admit("ann", "\(number)") == nil) }
    #expect(try admit("ann", "8") == .overShare)
    #expect(try admit("bob", "0") == nil)
  }

  @Test func `a private session belongs to the person, or else to the browser`() {
    let ann = PlaceHolder(person: "ann", browser: "3f", address: nil)
    #expect(ann.owner == PlaceHolder(person: "ann", browser: nil, address: "192.0.2.1").owner)
    let browser = PlaceHolder(browser: "3f", address: nil)
    #expect(ann.owner != browser.owner)
    #expect(PlaceHolder(person: "3f", browser: nil, address: nil).owner != browser.owner)
    #expect(PlaceHolder(browser: nil, address: "192.0.2.1").owner == nil)
    // The sessions of single pages.
    let name = browser.makeSessionName()
    #expect(browser.session(ofPage: name + Secret.make()) == name)
    #expect(PlaceHolder(browser: "40", address: nil).session(ofPage: name) == nil)
    #expect(browser.session(ofPage: "") == nil)
  }

  @Test(arguments: [(1, 1), (3, 3), (4, 4), (8, 4), (16, 4), (32, 8), (1000, 250)])
  func `where there are few places, one browser may have several`(places: Int, share: Int) {
    #expect(PlaceHolder.Key.browser("a").share(of: places) == share)
    #expect(PlaceHolder.Key.address("a").share(of: places) >= share)
  }

  @Test func `a place is free when its viewer leaves, and who waits for that goes on`() throws {
    let connections = OpenConnections(limits)
    let holder = PlaceHolder(browser: "ann", address: "192.0.2.1")
    let channels = try (0..<8).map { _ in
      let channel = try channel("192.0.2.1")
      #expect(connections.admit(connections.add(channel), holder) == nil)
      return channel
    }
    #expect(connections.refusal(of: holder) == .overShare)
    channels[0].close(promise: nil)
    channels[0].embeddedEventLoop.run()
    #expect(connections.refusal(of: holder) == nil)
    connections.closeAll()
    for channel in channels { channel.embeddedEventLoop.run() }
    connections.waitForViewers(seconds: 60)
  }
}
