import NatsServers
import TestFolders
import Testing

/// `tidelock run --share`, as a person starts it: confined, with a real server.
@Suite(.serialized, .timeLimit(.minutes(60))) struct ShareTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder(folders: "data")
    folder.write(
      """
      local room = shared("room", { title = "empty" })
      observe(room, "title", function(new) print("title " .. new) end)
      observe(room.sync, "state", function(new) print("state " .. new) end)
      after(0.2, function() if arg[1] then room.title = arg[1] end end)
      every(0.05, function()
        if room.sync.state == "live" and room.sync.pending == 0 and room.title == (arg[2] or "") then exit(0) end
      end)
      """, to: "room.lua")
  }

  private func run(_ server: NatsServer, _ arguments: String..., options: [String] = []) throws
    -> Program
  {
    try Program(
      ["run", "room.lua", "--share", server.address(), "--allow", "net=127.0.0.1:\(server.port)"]
        + options + ["--"] + arguments, in: folder)
  }

  @Test(.enabled(if: !hasSanitizer, "a sanitizer looks into the process"))
  func `two programs have the same, confined to the server`() throws {
    let server = try NatsServer()
    let reader = try run(server, "", "full", options: ["--confine", "required"])
    reader.wait { $0.output.contains("state live") }
    let writer = try run(server, "full", "full", options: ["--confine", "required"])
    let outcomes = [writer.finish(), reader.finish()]
    for outcome in outcomes { #expect(outcome.status == .exited(0), "\(outcome)") }
    #expect(outcomes[1].output.contains("title full"))
  }

  @Test func `a program that may not reach the server says what would let it`() throws {
    let program = try Program(["run", "room.lua", "--share", "nats://127.0.0.1:4222"], in: folder)
    let outcome = program.finish()
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("--allow net=127.0.0.1:4222"), "\(outcome)")
  }

  @Test func `an address that is none is a mistake of usage`() throws {
    let program = try Program(["run", "room.lua", "--share", "http://127.0.0.1"], in: folder)
    let outcome = program.finish()
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains("nats://"), "\(outcome)")
  }

  @Test func `of two programs with one database each keeps its own, or says what may be lost`()
    throws
  {
    folder.write(
      """
      local db = store.open("data/kept.db")
      local room = shared("room", { title = "empty", other = "" })
      print "ready"
      after(0.2, function() room[arg[1]] = arg[2] end)
      after(tonumber(arg[3]), function() end)
      """, to: "kept.lua")
    let server = try NatsServer.unstarted()
    let options = [
      "run", "kept.lua", "--share", server.address(), "--allow", "net=127.0.0.1:\(server.port)",
      "--allow",
      "store=data",
    ]
    let first = try Program(options + ["--", "title", "first", "4"], in: folder)
    first.wait { $0.output.contains("ready") }
    let second = try Program(options + ["--", "other", "second", "0.5"], in: folder)
    let outcome = second.finish()
    #expect(outcome.errors.contains("E0436") && outcome.errors.contains("1 change"), "\(outcome)")
    _ = first.finish()
    try server.start()
    folder.write(
      """
      local db = store.open("data/kept.db")
      local room = shared("room", { title = "empty", other = "" })
      every(0.1, function() print("title " .. room.title) end)
      """, to: "kept.lua")
    let third = try Program(options + ["--for", "2"], in: folder).finish()
    #expect(third.output.contains("title first"), "\(third)")
  }

  @Test func `what could not be sent at the end is told of`() throws {
    let server = try NatsServer.unstarted()
    let program = try run(server, "lost", options: ["--for", "1"])
    let outcome = program.finish()
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("E0436") && outcome.errors.contains("1 change"), "\(outcome)")
  }

  @Test func `with a database it is kept, and sent by the next run`() throws {
    let server = try NatsServer.unstarted()
    let script = folder.read("room.lua")
    folder.write("local db = store.open(\"data/room.db\")\n" + script, to: "room.lua")
    let store = ["--allow", "store=data"]
    let offline = try run(server, "kept", options: store + ["--for", "1"])
    let first = offline.finish()
    #expect(first.status == .exited(0), "\(first)")
    try server.start()
    let second = try run(server, options: store + ["--for", "2"]).finish()
    #expect(second.output.contains("title kept"), "\(second)")
    folder.write(script, to: "room.lua")
    let third = try run(server, options: ["--for", "2"]).finish()
    #expect(third.output.contains("title kept"), "\(third)")
  }
}
