import NatsServers
import TestFolders
import Testing
import TideBindings
import TideScript

@testable import TideShare

/// With a real server, whatever that does.
@Suite(.serialized, .timeLimit(.minutes(60))) struct NatsEngineTests {
  private static let room = """
    room = shared("room", { title = "empty", members = list {} })
    lost = {}
    on(room, "conflict", function(event) lost[#lost + 1] = event.theirs end)
    function members() return table.concat(room.members:totable(), " ") end
    """

  private func world(_ configuration: String = "jetstream {}") throws -> SharingWorld {
    SharingWorld(try NatsServer(configuration))
  }

  @Test func `what one writes the others read`() throws {
    let world = try world()
    try world.join(Self.room)
    try world.join(Self.room)
    #expect(try world.comes("room.sync.state", to: "live"))
    try world.all[0].evaluate("room.title = 'full' room.members:append('ann')", as: Value.self)
    #expect(try world.comes("room.title .. members() .. room.sync.pending", to: "fullann0"))
    try world.join(
      "room = shared('room', { title = 'other', members = list { 'nobody' }, age = 3 })")
    world.all[2].turn(timeout: 0)
    try world.all[2].evaluate(
      "function members() return table.concat(room.members:totable(), ' ') end", as: Value.self)
    #expect(try world.comes("room.title .. members() .. room.sync.pending", to: "fullann0"))
  }

  @Test func `a server that is killed and comes again loses nothing`() throws {
    let world = try world()
    for _ in 0..<2 { try world.join(Self.room) }
    #expect(try world.comes("room.sync.state", to: "live"))
    try world.all[0].evaluate("room.title = 'before'", as: Value.self)
    #expect(try world.comes("room.title .. room.sync.pending", to: "before0"))
    world.server.kill()
    #expect(try world.comes("room.sync.state", to: "offline"))
    try world.all[0].evaluate("room.title = 'first' room.members:append('ann')", as: Value.self)
    try world.all[1].evaluate("room.members:append('bob')", as: Value.self)
    #expect(try world.all[0].evaluate("room.title", as: String.self) == "first")
    #expect(try world.all[0].evaluate("room.sync.error", as: String.self).contains("no connection"))
    try world.server.start()
    #expect(try world.comes("room.title .. #room.members .. room.sync.pending", to: "first20"))
    #expect(world.turn { Set(world.all.map { SharingWorld.text($0, "members()") }).count == 1 })
    #expect(try world.comes("room.sync.state .. room.sync.error", to: "live"))
  }

  @Test func `a server that has lost everything gets it from those who know it`() throws {
    let world = try world()
    for _ in 0..<2 { try world.join(Self.room) }
    #expect(try world.comes("room.sync.state", to: "live"))
    try world.all[0].evaluate(
      "room.title = 'kept' room.members:append('ann', 'bob')", as: Value.self)
    #expect(try world.comes("room.title .. members() .. room.sync.pending", to: "keptann bob0"))
    world.server.kill()
    world.server.loseData()
    try world.server.start()
    #expect(try world.comes("room.sync.state", to: "live"))
    let late = try world.join(Self.room)
    #expect(
      try world.comes("room.title .. members() .. room.sync.pending", to: "keptann bob0"),
      "\(world.all.map { SharingWorld.text($0, "room.title .. members() .. room.sync.pending .. room.sync.state .. room.sync.error") })"
    )
    #expect(try late.evaluate("room.title", as: String.self) == "kept")
  }

  @Test func `a bucket that somebody deletes is made again`() throws {
    let world = try world()
    try world.join(Self.room)
    #expect(try world.comes("room.sync.state", to: "live"))
    try world.all[0].evaluate("room.title = 'kept'", as: Value.self)
    #expect(try world.comes("room.title .. room.sync.pending", to: "kept0"))
    let admin = try Administrator(world.server)
    admin.ask("$JS.API.STREAM.DELETE.KV_tests")
    try world.all[0].evaluate("room.title = 'later'", as: Value.self)
    #expect(
      world.turn(seconds: 20) {
        admin.ask("$JS.API.STREAM.INFO.KV_tests").contains("\"messages\":1")
      })
    try world.join(Self.room)
    #expect(try world.comes("room.title .. room.sync.pending", to: "later0"))
  }

  @Test func `after a key was purged, what is written comes through`() throws {
    let world = try world()
    for _ in 0..<2 { try world.join(Self.room) }
    #expect(try world.comes("room.sync.state", to: "live"))
    try world.all[0].evaluate("room.title = 'before'", as: Value.self)
    #expect(try world.comes("room.title .. room.sync.pending", to: "before0"))
    let admin = try Administrator(world.server)
    // No mark stays that would tell anybody.
    let answer = admin.ask("$JS.API.STREAM.PURGE.KV_tests", "{}")
    #expect(answer.contains("\"success\":true"), "\(answer)")
    try world.all[1].evaluate("room.title = 'after'", as: Value.self)
    #expect(try world.comes("room.title .. room.sync.pending", to: "after0", seconds: 30))
  }

  @Test func `a model that the server refuses to send leaves the others live`() throws {
    let world = try world()
    let admin = try Administrator(world.server)
    let creation = String(
      decoding: JetStream(bucket: "tests").creation(replicas: 1), as: UTF8.self)
    admin.ask(
      "$JS.API.STREAM.CREATE.KV_tests",
      creation.replacing("\"max_consumers\":-1", with: "\"max_consumers\":1"))
    try world.join(
      """
      room = shared("room", { n = 0 })
      losses = 0
      observe(room.sync, "state", function()
        if room.sync.state == "offline" then losses = losses + 1 end
      end)
      """)
    #expect(try world.comes("room.sync.state", to: "live"))
    try world.all[0].evaluate("other = shared('other', { n = 0 })", as: Value.self)
    #expect(
      world.turn {
        SharingWorld.text(world.all[0], "other.sync.error").contains("follow the model \"other\"")
      }, "\(SharingWorld.text(world.all[0], "other.sync.error"))")
    try world.all[0].evaluate("room.n = 1", as: Value.self)
    #expect(try world.comes("room.n .. room.sync.pending .. losses", to: "100"))
    #expect(SharingWorld.text(world.all[0], "room.sync.state .. other.sync.state") == "liveoffline")
  }

  @Test func `without a server one goes on alone, and sends when it comes`() throws {
    let world = SharingWorld(try NatsServer.unstarted())
    for _ in 0..<2 { try world.join(Self.room) }
    #expect(try world.comes("room.sync.state", to: "offline"))
    try world.all[0].evaluate("room.title = 'alone' room.members:append('ann')", as: Value.self)
    try world.all[1].evaluate("room.members:append('bob')", as: Value.self)
    try world.server.start()
    #expect(try world.comes("room.title .. #room.members .. room.sync.pending", to: "alone20"))
  }

  @Test func `a server without JetStream is told of`() throws {
    let world = try world("")
    try world.join(Self.room)
    #expect(
      try world.turn {
        try world.all[0].evaluate("room.sync.error", as: String.self).contains("no JetStream")
      })
    #expect(try world.all[0].evaluate("room.sync.state", as: String.self) == "offline")
  }

  private static let users = """
    jetstream {}
    authorization { users = [
      { user: writer, password: secret },
      { user: reader, password: secret, permissions: { publish: ["$JS.API.STREAM.INFO.KV_tests", "$JS.API.CONSUMER.CREATE.KV_tests.>", "$JS.API.CONSUMER.DELETE.KV_tests.>", "$JS.FC.KV_tests.>", "_INBOX.>"], subscribe: "_INBOX.>" } } ] }
    """

  @Test func `who may not write is told, and what was written stays pending`() throws {
    let world = try world(Self.users)
    try world.join(Self.room, at: world.server.address(login: "writer:secret@"))
    #expect(try world.comes("room.sync.state", to: "live"))
    let reader = try world.join(Self.room, at: world.server.address(login: "reader:secret@"))
    #expect(try world.comes("room.sync.state", to: "live"))
    try reader.evaluate("room.title = 'mine'", as: Value.self)
    #expect(
      try world.turn {
        try reader.evaluate("room.sync.error", as: String.self).contains("does not let")
      },
      "\(SharingWorld.text(reader, "room.sync.error"))")
    #expect(try reader.evaluate("room.sync.pending", as: Int.self) == 1)
    try world.all[0].evaluate("room.members:append('ann')", as: Value.self)
    #expect(try world.comes("members()", to: "ann"))
    #expect(reader.errors.contains { $0.code == .sharing })
  }

  @Test func `a wrong password is told of`() throws {
    let world = try world(Self.users)
    try world.join(Self.room, at: world.server.address(login: "writer:wrong@"))
    #expect(
      try world.turn {
        try world.all[0].evaluate("room.sync.error", as: String.self).lowercased().contains(
          "authorization")
      }, "\(SharingWorld.text(world.all[0], "room.sync.error"))")
  }

  @Test func `who only reads gets back what is shared`() throws {
    let world = try world()
    try world.join(Self.room)
    #expect(try world.comes("room.sync.state", to: "live"))
    let reader = try world.join(Self.room) { $0.isReadOnly = true }
    #expect(try world.comes("room.sync.state", to: "live"))
    #expect(reader.errors.isEmpty)
    try reader.evaluate("room.title = 'mine' room.members:append('me')", as: Value.self)
    #expect(
      try world.turn {
        try reader.evaluate("room.title .. #room.members", as: String.self) == "empty0"
      })
    #expect(reader.errors.contains { $0.message.contains("can only be read here") })
    try world.all[0].evaluate("room.title = 'theirs'", as: Value.self)
    #expect(try world.comes("room.title .. room.sync.pending", to: "theirs0"))
  }

  @Test func `a value that is too large stays here, and the rest goes on`() throws {
    let world = try world()
    for _ in 0..<2 { try world.join(Self.room) }
    #expect(try world.comes("room.sync.state", to: "live"))
    try world.all[0].evaluate(
      "room.members:append(string.rep('x', 10000000), 'ann')", as: Value.self)
    #expect(
      try world.turn {
        try world.all[0].evaluate("room.sync.error", as: String.self).contains("too large")
      })
    #expect(try world.turn { try world.all[1].evaluate("members()", as: String.self) == "ann" })
    try world.all[0].evaluate("room.members:remove(1) room.title = 'on'", as: Value.self)
    #expect(try world.comes("room.title .. members() .. room.sync.pending", to: "onann0"))
  }

  @Test func `a bucket that is full is told of, and takes what was written when there is room`()
    throws
  {
    let world = try world()
    let admin = try Administrator(world.server)
    let stream = { (bytes: Int) in
      "{\"name\":\"KV_tests\",\"subjects\":[\"$KV.tests.>\"],\"max_msgs_per_subject\":1,\"discard\":\"new\",\"max_bytes\":\(bytes),\"storage\":\"file\",\"allow_rollup_hdrs\":true,\"deny_delete\":true,\"num_replicas\":1}"
    }
    admin.ask("$JS.API.STREAM.CREATE.KV_tests", stream(2000))
    for _ in 0..<2 { try world.join(Self.room) }
    #expect(try world.comes("room.sync.state", to: "live"))
    try world.all[0].evaluate("room.title = string.rep('x', 5000)", as: Value.self)
    #expect(
      try world.turn {
        try world.all[0].evaluate("room.sync.error", as: String.self).contains(
          "refuses what was written")
      },
      "\(SharingWorld.text(world.all[0], "room.sync.error"))")
    admin.ask("$JS.API.STREAM.UPDATE.KV_tests", stream(200_000))
    #expect(
      try world.comes(
        "#room.title .. room.sync.pending .. room.sync.error", to: "50000", seconds: 25))
  }

  @Test func `with a conflict on every write all come to the same`() throws {
    let world = try world()
    for _ in 0..<3 { try world.join(Self.room) }
    #expect(try world.comes("room.sync.state", to: "live"))
    for step in 0..<100 {
      for (index, runtime) in world.all.enumerated() {
        try runtime.evaluate("room.title = '\(index) \(step)'", as: Value.self)
      }
      for runtime in world.all { runtime.turn(timeout: 0) }
    }
    #expect(try world.comes("room.sync.pending", to: "0"))
    #expect(world.turn { Set(world.all.map { SharingWorld.text($0, "room.title") }).count == 1 })
    #expect(try world.all.contains { try $0.evaluate("#lost", as: Int.self) > 0 })
  }

  @Test func `what the writer did is a cause on the other machine`() throws {
    let world = try world()
    for _ in 0..<2 { try world.join(Self.room) }
    #expect(try world.comes("room.sync.state", to: "live"))
    try world.all[0].evaluate("room.title = 'full'", as: Value.self)
    #expect(try world.comes("room.title", to: "full"))
    let causes = try world.all[1].evaluate("why(room, 'title')[1].location", as: String.self)
    #expect(causes.contains("app@") && causes.contains(":1"), "\(causes)")
  }

  @Test func `an encrypted connection needs a certificate that is trusted`() throws {
    let folder = try ScratchFolder()
    try Administrator.makeCertificate(in: folder)
    let server = try NatsServer(
      "jetstream {}\ntls { cert_file: \"\(folder.path)/cert.pem\", key_file: \"\(folder.path)/key.pem\" }"
    )
    let world = SharingWorld(server)
    try world.join(Self.room, at: server.address(scheme: "tls")) {
      $0.authorities = folder.path + "/cert.pem"
    }
    #expect(
      try world.comes("room.sync.state", to: "live"),
      "\(SharingWorld.text(world.all[0], "room.sync.error"))")
    let other = try SharingWorld(server).join(Self.room, at: server.address(scheme: "tls"))
    for _ in 0..<100 { other.turn(timeout: 0.02) }
    #expect(try other.evaluate("room.sync.state", as: String.self) == "offline")
    #expect(try other.evaluate("room.sync.error", as: String.self) != "")
  }

  @Test(arguments: [
    "http://host", "nats://", "nats://host:99999", "nats://host/a b", "host:4222",
    "nats://host?replicas=9",
  ])
  func `an address that is none is refused`(address: String) {
    #expect(throws: NatsOptionsError.self) { try NatsOptions(address) }
  }

  @Test func `addresses name servers, bucket, user and replicas`() throws {
    let options = try NatsOptions("nats://ann:secret@one:4000/board?replicas=3,nats://[::1]/board")
    #expect(options.servers == ["nats://one:4000", "nats://[::1]:4222"])
    #expect(options.bucket == "board" && options.replicas == 3)
    #expect(options.user == "ann" && options.password == "secret")
    #expect(try NatsOptions("tls://host").isSecure)
  }

  @Test(arguments: ["room", "", "a b", "ä.*>", "=", "-", "a=b"])
  func `any name is a part of a subject, and comes back`(name: String) {
    let token = JetStream.token(name)
    #expect(JetStream.name(token[...]) == name)
    #expect(token != "-" && !token.isEmpty && !token.contains { ". *>".contains($0) })
  }
}
