import Glibc
import Synchronization
import Testing
import TideLua

@Suite struct `Access to files` {
  let playground: Playground

  init() throws { playground = try Playground() }

  @Test(arguments: [
    (
      "io.open('/etc/passwd')",
      "reading \"/etc/passwd\" is not allowed; the host can allow read=/etc"
    ),
    (
      "io.open('/etc/passwd', 'w')",
      "writing \"/etc/passwd\" is not allowed; the host can allow write=/etc"
    ),
    ("io.open('/etc/passwd', 'r+')", "reading \"/etc/passwd\" is not allowed"),
    ("io.open('/no/such/folder/x')", "reading \"/no/such/folder/x\" is not allowed"),
    ("io.open('/etc/../etc/./passwd')", "allow read=/etc"),
    ("io.lines('/etc/passwd')", "allow read=/etc"),
    ("io.tmpfile()", "io.tmpfile is not allowed; the host can allow write=DIR"),
    ("os.tmpname()", "os.tmpname is not allowed; the host can allow write=DIR"),
    ("os.remove('/etc/passwd')", "allow write=/etc"),
    ("os.rename('/etc/passwd', '/etc/x')", "allow write=/etc"),
    (
      "os.getenv('HOME')",
      "the environment variable \"HOME\" is not allowed; the host can allow env=HOME"
    ),
    ("os.execute('true')", "running \"true\" is not allowed; the host can allow run"),
    ("io.popen('true')", "running \"true\" is not allowed; the host can allow run"),
    ("io.write('x')", "standard output is the app's; use print"),
    ("io.read()", "standard input is the app's"),
    ("io.lines()", "there is no standard input"),
  ])
  func `a refusal says what would allow it`(script: String, message: String) throws {
    let state = try LuaState()
    let error = #expect(throws: LuaError.self) { try state.run(script, name: "=t") }
    #expect(error?.message.contains(message) == true, "\(error as Any)")
    #expect(try state.run("return os.execute()", name: "=t") == [false])
  }

  @Test func `what is below the folder can be read in all of Lua's ways`() throws {
    let state = try playground.state()
    let results = try state.run(
      """
      local f = assert(io.open(dir .. '/inside/fig.txt'))
      local a, b = f:read('l', 'L')
      local c, d, e = f:read(0, 'a', 'a')
      local g = f:read('l')
      local end1 = f:seek('end')
      f:seek('set', 4)
      local h = f:read(3)
      assert(io.type(f) == 'file')
      f:close()
      assert(io.type(f) == 'closed file' and io.type(1) == nil)
      return a, b, c, d, e, g, end1, h, tostring(f)
      """, name: "=t")
    #expect(
      results == ["one", "two\n", "", "\nfour", "", nil, 13, "two", "file (closed)"])
    let lines = try state.run(
      """
      local t = {}
      for line in io.lines(dir .. '/inside/fig.txt') do t[#t + 1] = line end
      for a, b in io.lines(dir .. '/inside/fig.txt', 1, 'L') do t[#t + 1] = a .. '-' .. tostring(b) end
      return table.concat(t, '|')
      """, name: "=t")
    #expect(lines == ["one|two||four|o-ne\n|t-wo\n|\n-four"])
  }

  @Test func `numbers are read as Lua reads them`() throws {
    let state = try playground.state()
    playground.write("  12 -0x1F 3.5e2 .5 nan 7", to: "inside/numbers")
    let results = try state.run(
      "return io.open(dir .. '/inside/numbers'):read('n', 'n', 'n', 'n', 'n')", name: "=t")
    #expect(results == [12, -31, 350.0, 0.5, nil])
  }

  @Test func `files are written, appended to, changed, renamed and removed`() throws {
    let state = try playground.state()
    let results = try state.run(
      """
      local name = dir .. '/inside/deep/new.txt'
      local f = assert(io.open(name, 'w'))
      assert(f:write('a', 1, 2.5, '\\0\\xff') == f)
      f:close()
      f = assert(io.open(name, 'a')) f:write('end') f:close()
      f = assert(io.open(name, 'r+'))
      local one = f:read(1)
      f:write('X')
      f:seek('set')
      local all = f:read('a')
      f:close()
      assert(os.rename(name, name .. '2'))
      local missing, why = io.open(name)
      assert(os.remove(name .. '2'))
      local again, why2, number = os.remove(name .. '2')
      local t = io.tmpfile() t:write('kept') t:seek('set')
      local kept = t:read('a')
      local temporary = os.tmpname()
      assert(io.open(temporary)):close()
      assert(os.remove(temporary))
      return one, all, missing, why, again, number, kept
      """, name: "=t")
    #expect(results[0] == "a")
    #expect(results[1] == .bytes(Array("aX2.5\0".utf8) + [0xff] + Array("end".utf8)))
    #expect(results[2] == nil)
    #expect(results[3].string?.hasSuffix("new.txt: No such file or directory") == true)
    #expect(results[4] == nil)
    #expect(results[5] == .integer(Int(ENOENT)))
    #expect(results[6] == "kept")
  }

  @Test func `reading alone does not allow writing, nor the other way round`() throws {
    let reader = try playground.state { $0.access.write = [] }
    for script in [
      "io.open(dir .. '/inside/fig.txt', 'w')", "io.open(dir .. '/inside/fig.txt', 'a+')",
      "os.remove(dir .. '/inside/fig.txt')", "io.open(dir .. '/inside/new', 'w')",
    ] {
      let error = #expect(throws: LuaError.self) { try reader.run(script, name: "=t") }
      #expect(error?.message.contains("allow write=\(playground.path)/inside") == true)
    }
    let writer = try playground.state { $0.access.read = [] }
    #expect(throws: LuaError.self) {
      try writer.run("io.open(dir .. '/inside/fig.txt')", name: "=t")
    }
    #expect(throws: LuaError.self) {
      try writer.run("io.open(dir .. '/inside/fig.txt', 'r+')", name: "=t")
    }
    try writer.run("io.open(dir .. '/inside/w', 'w'):write('x'):close()", name: "=t")
    #expect(playground.read("inside/w") == "x")
    #expect(playground.read("inside/fig.txt") == "one\ntwo\n\nfour")
  }

  @Test func `no way leads out of the folder`() throws {
    let state = try playground.state()
    symlink("../outside/secret.txt", playground.path + "/inside/link")
    symlink("../outside", playground.path + "/inside/folder")
    symlink("/nowhere/at/all", playground.path + "/inside/dangling")
    symlink("fig.txt", playground.path + "/inside/good")
    for path in [
      "/inside/../outside/secret.txt", "/inside/link", "/inside/folder/secret.txt",
      "/inside/deep/../../outside/secret.txt", "/inside/folder/../outside/secret.txt",
      "/outside/secret.txt", "/insideout", "/inside/missing/../../outside/secret.txt",
      "/inside/folder/new", "/inside/dangling", "/inside/dangling/x/y",
    ] {
      for call in ["io.open(p)", "io.open(p, 'w')", "io.open(p, 'a')", "io.lines(p)"] {
        try state.globals.rawSet("p", .string(playground.path + path))
        let error = #expect(throws: LuaError.self, "\(path)") { try state.run(call, name: "=t") }
        #expect(error?.message.contains("is not allowed") == true, "\(path): \(error as Any)")
      }
    }
    // A link is a file of its own to who removes it.
    #expect(try state.run("return os.remove(dir .. '/inside/link')", name: "=t") == [true])
    #expect(throws: LuaError.self) {
      try state.run("os.rename(dir .. '/inside/fig.txt', dir .. '/outside/fig.txt')", name: "=t")
    }
    #expect(throws: LuaError.self) { try state.run("os.remove(dir .. '/inside')", name: "=t") }
    #expect(try state.run("return io.open(dir .. '/inside/good'):read()", name: "=t") == ["one"])
    #expect(playground.read("outside/secret.txt") == "secret")
    #expect(playground.read("outside/new") == nil)
  }

  @Test func `a refusal is the same whether or not the file exists, and reveals no path`() throws {
    let state = try playground.state()
    let there = playground.path
    symlink("../outside/secret.txt", there + "/inside/link")
    symlink("../outside/nothing.t", there + "/inside/dead")
    symlink("../outside", there + "/inside/folder")
    symlink("../nowhere", there + "/inside/nofolder")
    for (one, other) in [
      ("/outside/secret.txt", "/outside/nothing.t"), ("/inside/link", "/inside/dead"),
      ("/inside/folder/secret.txt", "/inside/nofolder/secret.txt"),
      ("/inside/folder/secret.txt", "/inside/folder/nothing.t"),
      ("/inside/folder/secret.txt/x", "/inside/folder/nothing.t/x"),
      ("/outside/../outside/secret.txt", "/nowhere/../outside/secret.txt"),
      ("/inside/../outside/secret.txt", "/inside/../nowhere/secret.txt"),
    ] {
      for call in [
        "io.open(p)", "io.open(p, 'r+')", "io.open(p, 'w')", "io.lines(p)",
        "os.rename(dir .. '/inside/fig.txt', p .. '/x')",
      ] {
        var messages: [String] = []
        for path in [one, other] {
          try state.globals.rawSet("p", .string(there + path))
          let error = #expect(throws: LuaError.self) { try state.run(call, name: "=t") }
          let message = error?.message ?? ""
          #expect(message.contains("is not allowed; the host can allow"), "\(message)")
          // Nothing but what the script has written.
          let rest = message.replacing(there + path, with: "PATH")
          let isTold = path.contains("outside") || path.contains("nowhere")
          #expect(isTold || !(rest.contains("outside") || rest.contains("nowhere")), "\(message)")
          messages.append(rest.replacing("nowhere", with: "outside"))
        }
        #expect(messages[0] == messages[1], "\(call)")
      }
    }
    // What lies on the way is not looked at where it is not allowed, and so not told either.
    for path in ["/outside/../inside/fig.txt", "/nowhere/../inside/fig.txt"] {
      #expect(
        try state.run("return io.open(dir .. '\(path)'):read()", name: "=t") == ["one"], "\(path)")
    }
  }

  @Test func `a folder is allowed by its own name and by a link to it`() throws {
    symlink("inside", playground.path + "/named")
    let state = try playground.state {
      $0.access.read = [playground.path + "/named"]
      $0.access.write = [playground.path + "/named"]
    }
    for path in ["/named/fig.txt", "/inside/fig.txt", "/outside/../named/./deep/../fig.txt"] {
      #expect(
        try state.run("return io.open(dir .. '\(path)'):read()", name: "=t") == ["one"], "\(path)")
    }
    // Where that leads is not told.
    let name = try state.run("return os.tmpname()", name: "=t")[0].string ?? ""
    #expect(name.hasPrefix(playground.path + "/named/"), "\(name)")
    #expect(try state.run("return os.remove('\(name)')", name: "=t") == [true])
  }

  @Test(arguments: [
    ("a/b.txt", "a"), ("b.txt", "."), ("../b.txt", ".."), ("../../a/../b.txt", "../.."),
    ("a/../../b.txt", ".."), ("/b.txt", "/"), ("/a//./c/../b.txt", "/a"), ("./a/b/", "a/b"),
  ])
  func `a refusal names the folder as the script has written it`(path: String, folder: String)
    throws
  {
    let state = try LuaState()
    let error = #expect(throws: LuaError.self) { try state.run("io.open('\(path)')", name: "=t") }
    #expect(
      error?.message
        == "reading \"\(path)\" is not allowed; the host can allow read=\(folder)")
  }

  @Test func `the text of a file tells no address`() throws {
    let state = try playground.state()
    let text = try state.run("return tostring(io.open(dir .. '/inside/fig.txt'))", name: "=t")[0]
    #expect(text.string?.wholeMatch(of: /file \([0-9]+\)/) != nil, "\(text)")
  }

  @Test func `a link that is swapped in at the last moment leads nowhere`() throws {
    let state = try playground.state()
    let swapper = Swapper(playground.path)
    defer { swapper.stop() }
    let found = try state.run(
      """
      local stop = os.clock() + 0.5
      local opened = 0
      while os.clock() < stop do
        local ok, f = pcall(io.open, dir .. '/inside/swap/secret.txt')
        if ok and f then
          opened = opened + 1
          if f:read('a') ~= 'harmless' then return 'escaped' end
          f:close()
        end
      end
      return opened
      """, name: "=t")
    #expect(found.first?.integer ?? 0 > 0, "\(found)")
  }

  @Test func `what is not a regular file is refused at once`() throws {
    let state = try playground.state { $0.access.read.append("/dev") }
    mkfifo(playground.path + "/inside/pipe", 0o600)
    for script in [
      "io.open(dir .. '/inside/pipe')", "io.open(dir .. '/inside/pipe', 'w')",
      "io.lines('/dev/zero')", "io.open('/dev/zero')",
    ] {
      let error = #expect(throws: LuaError.self) { try state.run(script, name: "=t") }
      #expect(error?.message.contains("not a regular file") == true, "\(error as Any)")
    }
    let folder = try state.run("return io.open(dir .. '/inside/deep')", name: "=t")
    #expect(folder[0] == nil)
    #expect(folder[1].string?.hasSuffix("Is a directory") == true)
  }

  @Test func `a file that is too large for memory is an error`() throws {
    let state = try playground.state {
      $0.memory = 8 << 20
      $0.textBytes = 2 << 20
    }
    playground.write("", to: "inside/huge")
    truncate(playground.path + "/inside/huge", 10 << 30)
    for script in [
      "io.open(dir .. '/inside/huge'):read('a')", "io.open(dir .. '/inside/huge'):read(1 << 40)",
      "for l in io.lines(dir .. '/inside/huge') do end",
    ] {
      let error = #expect(throws: LuaError.self) { try state.run(script, name: "=t") }
      #expect(error?.message.contains("read the file in parts") == true, "\(error as Any)")
    }
    #expect(state.memoryUsed < 8 << 20)
  }

  @Test(arguments: [false, true])
  func `reading and writing end with the turn`(countsSteps: Bool) throws {
    let state = try playground.state {
      $0.turn = .milliseconds(100)
      $0.countsSteps = countsSteps
    }
    playground.write("", to: "inside/huge")
    truncate(playground.path + "/inside/huge", 10 << 30)
    let start = ContinuousClock.now
    for script in [
      "local f = io.open(dir .. '/inside/huge') while f:read(1 << 20) do end",
      "local f = io.open(dir .. '/inside/huge') while true do f:seek('set') f:read('n') end",
    ] {
      let error = #expect(throws: LuaError.self) { try state.run(script, name: "=t") }
      #expect(error?.kind == .time)
    }
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func `only so many files are open at a time`() throws {
    let state = try playground.state()
    let error = #expect(throws: LuaError.self) {
      try state.run(
        "local t = {} for i = 1, 1000 do t[i] = io.open(dir .. '/inside/fig.txt') end", name: "=t")
    }
    #expect(error?.message.contains("files are open") == true)
    // Those that nobody holds do not count.
    try state.run("for i = 1, 1000 do io.open(dir .. '/inside/fig.txt') end", name: "=t")
    try state.run("for i = 1, 1000 do local f <close> = io.tmpfile() end", name: "=t")
  }

  @Test func `files are out of reach of metatables`() throws {
    let state = try playground.state()
    let results = try state.run(
      """
      local f = io.open(dir .. '/inside/fig.txt')
      local ok1 = pcall(function() f.read = print end)
      local ok2 = pcall(setmetatable, f, {})
      return getmetatable(f), ok1, ok2, f.__gc, pcall(f.read, {}), pcall(f.read, io)
      """, name: "=t")
    #expect(results[0] == false)
    #expect(results[1] == false && results[2] == false && results[3] == nil)
    #expect(results[4] == false)
  }

  @Test func `a folder that is not there cannot be allowed`() throws {
    var configuration = LuaConfiguration()
    configuration.access.read = ["/no/such/folder"]
    let error = #expect(throws: LuaError.self) { try LuaState(configuration) }
    #expect(error?.message.contains("/no/such/folder: No such file") == true)
  }

  @Test func `the variables that are named can be read`() throws {
    let state = try playground.state { $0.access.environment = ["PATH", "TIDELUA_NOT_SET"] }
    #expect(try state.run("return #os.getenv('PATH') > 0", name: "=t") == [true])
    #expect(try state.run("return os.getenv('TIDELUA_NOT_SET')", name: "=t") == [nil])
    #expect(throws: LuaError.self) { try state.run("os.getenv('HOME')", name: "=t") }
  }

  @Test func `the whole stock library is another matter`() throws {
    var configuration = LuaConfiguration()
    configuration.capabilities = [.io, .os]
    let state = try LuaState(configuration)
    #expect(try state.run("return io.open('/dev/null'):read('a')", name: "=t") == [""])
    #expect(try state.run("return io.stdout ~= nil, os.exit ~= nil", name: "=t") == [true, true])
  }
}

/// Swaps a folder for a link that leads out, and back, without end.
// Unchecked, because its thread reads constants and the atomic flag alone.
private final class Swapper: @unchecked Sendable {
  private var thread = pthread_t()
  private let path: String
  private let isOver = Atomic(false)

  init(_ path: String) {
    self.path = path
    mkdir(path + "/inside/real", 0o755)
    if let file = fopen(path + "/inside/real/secret.txt", "w") {
      fputs("harmless", file)
      fclose(file)
    }
    symlink("../outside", path + "/inside/away")
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Swapper>.fromOpaque(context).takeUnretainedValue().run()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func run() {
    while !isOver.load(ordering: .relaxed) {
      for name in ["/inside/real", "/inside/away"] {
        rename(path + name, path + "/inside/swap")
        rename(path + "/inside/swap", path + name)
      }
    }
  }

  func stop() {
    isOver.store(true, ordering: .relaxed)
    pthread_join(thread, nil)
  }
}
