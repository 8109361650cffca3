import Fuzzing
import Glibc
import Testing

@testable import TideSystem

/// Streams, pauses, and requests that are called off.
struct HTTPTransferTests {
  let scene: HTTPScene

  init() throws { scene = try HTTPScene() }

  @Test func `a body is streamed without being kept`() throws {
    let events = Record<String>()
    var count = 0
    var result: Result<HTTPResponse, HTTPFailure>?
    var request = scene.request("/redirect?302&/bytes?5000000")
    request.mostBytes = 10
    scene.client.start(
      request, onHead: { events.add("head \($0.status) \($0.body.count)") },
      onData: { part in
        if count == 0 { events.add("data") }
        count += part.count
        return true
      }, completion: { result = $0 })
    try scene.wait { result != nil }
    #expect(events.all == ["head 200 0", "data"])
    #expect(count == 5_000_000)
    #expect(try #require(result).get().body == [])
  }

  @Test func `who pauses gets nothing until the transfer is resumed, and then all`() throws {
    var count = 0
    var most = 0
    var isDone = false
    var transfer: HTTPTransfer?
    transfer = scene.client.start(
      scene.request("/bytes?3000000"),
      onData: { part in
        count += part.count
        most = max(most, part.count)
        transfer?.pause()
        return true
      }, completion: { _ in isDone = true })
    var pauses = 0
    while !isDone {
      let before = count
      try scene.wait { isDone || count > before }
      if isDone { break }
      let seen = count
      for _ in 0..<3 { scene.loop.turn(timeout: 0.002) }
      #expect(count == seen)
      pauses += 1
      transfer?.resume()
    }
    #expect(count == 3_000_000)
    #expect(pauses > 5)
    #expect(most <= 8 << 10)
    transfer = nil
  }

  @Test func `what else is due has its turn between the parts of a body`() throws {
    var (parts, beats, isDone) = (0, 0, false)
    let timer = scene.loop.after(0.001, repeating: true) { beats += 1 }
    defer { timer.cancel() }
    scene.client.start(
      scene.request("/bytes?400000"),
      onData: { _ in
        parts += 1
        let end = EventLoop.monotonicTime() + 0.003
        while EventLoop.monotonicTime() < end {}
        return true
      }, completion: { _ in isDone = true })
    try scene.wait { isDone }
    #expect(parts >= 400_000 / (8 << 10))
    #expect(beats > parts / 2)
  }

  @Test func `a server that never stops is held back`() throws {
    var count = 0
    var transfer: HTTPTransfer?
    var failure: HTTPFailure?
    transfer = scene.client.start(
      scene.request("/endless"),
      onData: { part in
        count += part.count
        transfer?.pause()
        return true
      }, completion: { if case .failure(let reason) = $0 { failure = reason } })
    try scene.wait { count > 0 }
    let seen = count
    for _ in 0..<50 { scene.loop.turn(timeout: 0.002) }
    #expect(count == seen)
    #expect(transfer?.isPaused == true)
    transfer?.cancel()
    #expect(failure?.kind == .cancelled)
    #expect(scene.client.count == 0)
    transfer = nil
  }

  @Test func `a paused answer is told when it is resumed, though it has ended`() throws {
    var isDone = false
    let transfer = scene.client.start(scene.request("/plain")) { _ in isDone = true }
    transfer.pause()
    for _ in 0..<30 { scene.loop.turn(timeout: 0.005) }
    #expect(!isDone)
    transfer.resume()
    try scene.wait { isDone }
  }

  @Test func `data that nobody wants ends the request`() throws {
    var failure: HTTPFailure?
    scene.client.start(scene.request("/endless"), onData: { _ in false }) {
      if case .failure(let reason) = $0 { failure = reason }
    }
    try scene.wait { failure != nil }
    #expect(failure?.kind == .cancelled)
  }

  @Test func `what is called may cancel and start others`() throws {
    let events = Record<String>()
    var other: HTTPTransfer?
    let request = scene.request("/plain")
    other = scene.client.start(scene.request("/hang")) { _ in
      events.add("cancelled")
      self.scene.client.start(request) { _ in events.add("third") }
    }
    var own: HTTPTransfer?
    own = scene.client.start(
      scene.request("/plain"),
      onHead: { _ in
        other?.cancel()
        own?.cancel()
        own?.cancel()
      }, completion: { _ in events.add("own") })
    try scene.wait { events.all.count == 3 }
    #expect(events.all == ["cancelled", "own", "third"])
    #expect(own?.isOver == true)
    (own, other) = (nil, nil)
  }

  @Test func `a request that is cancelled at once never asks`() throws {
    var results = 0
    let transfer = scene.client.start(scene.request("/plain")) { _ in results += 1 }
    transfer.cancel()
    #expect(results == 1)
    let wrong = scene.client.start(HTTPRequest(url: "nothing")) { _ in results += 1 }
    #expect(results == 1)
    wrong.cancel()
    while scene.loop.hasWork { scene.loop.turn(timeout: 0.1) }
    #expect(results == 2)
  }

  @Test func `the end of a client is the end of its requests`() throws {
    let loop = try EventLoop()
    var client: HTTPClient? = HTTPClient(loop: loop)
    var failures: [HTTPFailure.Kind] = []
    for path in ["/hang", "/hang-body", "/endless", "/plain"] {
      client?.start(HTTPRequest(url: scene.server.url(path)), onData: { _ in true }) { result in
        if case .failure(let failure) = result { failures.append(failure.kind) }
      }
    }
    for _ in 0..<5 { loop.turn(timeout: 0.01) }
    client = nil
    #expect(failures.filter { $0 == .cancelled }.count >= 3)
    loop.turn(timeout: 0)
    #expect(!loop.hasWork)
    try scene.wait { scene.server.openConnections == 0 }
  }

  @Test func `no descriptor is left open`() async throws {
    // In a process of its own, because other tests open descriptors meanwhile.
    await #expect(processExitsWith: .success) {
      let server = HostileServer.withRoutes()
      func count() -> Int { ReadableFile.names(in: "/proc/self/fd")?.count ?? 0 }
      func ask() throws {
        let loop = try EventLoop()
        let client = HTTPClient(loop: loop)
        client.proxies = HTTPProxies()
        let urls =
          ["/plain", "/cut", "/garbage", "/endless", "/loop", "/hang-body"].map(server.url)
          + ["http://localhost:\(server.port)/plain", "http://nowhere.invalid/"]
        for _ in 0..<10 {
          for url in urls {
            client.start(HTTPRequest(url: url, timeout: 0.3, mostBytes: 1000)) { _ in }
          }
          for _ in 0..<20 { loop.turn(timeout: 0.01) }
        }
      }
      try ask()
      while server.openConnections > 0 { usleep(1000) }
      let before = count()
      try ask()
      while server.openConnections > 0 { usleep(1000) }
      // Names that are still being looked up by a thread let go of theirs later.
      for _ in 0..<3000 where count() > before { usleep(1000) }
      #expect(count() <= before)
      exit(count() <= before ? 0 : 1)
    }
  }

  @Test func `each request ends once, whenever it is cancelled, paused or resumed`() throws {
    var generator = SeededGenerator("HTTPTransfer")
    let paths = [
      "/plain", "/chunked", "/gzip", "/bytes?300000", "/redirect?302&/plain", "/hang-body", "/cut",
      "/garbage", "/endless", "/hang", "/loop",
    ]
    var ends: [Int] = []
    var open: [(number: Int, transfer: HTTPTransfer)] = []
    for number in 0..<400 {
      ends.append(0)
      let path = paths.randomElement(using: &generator) ?? ""
      let isStream = Bool.random(using: &generator)
      let cancelsAt = Int.random(in: 0..<8, using: &generator)
      var parts = 0
      var own: HTTPTransfer?
      own = scene.client.start(
        scene.request(path), onHead: { _ in if cancelsAt == 0 { own?.cancel() } },
        onData: isStream
          ? { _ in
            parts += 1
            if parts == cancelsAt { own?.cancel() }
            return parts < 20
          } : nil,
        completion: { _ in
          ends[number] += 1
          own = nil
        })
      if let own { open.append((number, own)) }
      for _ in 0..<Int.random(in: 0..<4, using: &generator) { scene.loop.turn(timeout: 0.001) }
      guard let (_, transfer) = open.randomElement(using: &generator) else { continue }
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: transfer.cancel()
      case 1: transfer.pause()
      default: transfer.resume()
      }
      #expect(ends.allSatisfy { $0 <= 1 })
    }
    for (_, transfer) in open where !transfer.isOver { transfer.cancel() }
    #expect(ends.allSatisfy { $0 == 1 })
    #expect(scene.client.count == 0)
    #expect(try scene.text("/plain") == "fig")
  }
}
