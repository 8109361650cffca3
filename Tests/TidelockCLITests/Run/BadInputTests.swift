import TestFolders
import Glibc
import Testing

/// Scripts that are none, or that do what they should not.
struct BadInputTests: AppSuite {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `a file that is missing`() throws {
    let outcome = try Program.run(["run", "missing.lua"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.hasPrefix("missing.lua: error[E"))
    #expect(outcome.errors.contains("No such file"))
  }

  @Test func `a folder`() throws {
    folder.makeFolder("app")
    let outcome = try Program.run(["run", "app"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.contains("is a folder"))
  }

  @Test func `a link that leads to itself`() throws {
    folder.link("app.lua", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.contains("app.lua"))
  }

  @Test(.disabled(if: geteuid() == 0, "root may read everything"))
  func `a file that may not be read`() throws {
    chmod(folder.write("print(1)", to: "app.lua"), 0)
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.contains("Permission denied"))
  }

  @Test func `a file that cannot be opened`() throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder.path + "/app.lua"
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        bind(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.hasPrefix("app.lua: error[E"))
  }

  @Test func `an empty file`() throws {
    let outcome = try run("")
    #expect(outcome.status == .exited(65))
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("app.lua:1:1: error[E0402]: the script is empty"))
  }

  @Test func `a file that is not UTF-8`() throws {
    let path = folder.write("", to: "app.lua")
    let file = try #require(fopen(path, "w"))
    let bytes: [UInt8] = Array("local a = 1\nlocal s = '".utf8) + [0xff, 0xfe] + Array("'\n".utf8)
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.hasPrefix("app.lua:2:"))
    #expect(outcome.errors.contains("UTF-8"))
  }

  @Test func `a syntax error, with the line and a caret`() throws {
    let outcome = try run("local a = 1\nlocal 7 = a\n")
    #expect(outcome.status == .exited(65))
    #expect(outcome.errorLines.first == "app.lua:2:7: error[E0401]: <name> expected near '7'")
    #expect(outcome.errorLines.dropFirst() == ["  local 7 = a", "        ^"])
  }

  @Test func `a script that raises, with the line and a caret`() throws {
    let outcome = try run("local fruit\n\tprint(fruit.name)\n")
    #expect(outcome.status == .exited(65))
    #expect(
      outcome.errorLines.first?.hasPrefix("app.lua:2:8: error[E0402]: attempt to index") == true)
    #expect(outcome.errorLines.dropFirst() == ["   print(fruit.name)", "         ^"])
    #expect(outcome.output == "")
  }

  @Test func `an error that is no text`() throws {
    let outcome = try run("error({ code = 7 })")
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("error[E0402]"))
  }

  @Test func `what was printed before an error stays`() throws {
    let outcome = try run("print('before')\nerror('no fruit')")
    #expect(outcome.status == .exited(65))
    #expect(outcome.output == "before\n")
    #expect(outcome.errors.hasPrefix("app.lua:2:1: error[E0402]: no fruit\n"))
  }

  @Test(arguments: [
    "while true do end",
    "while true do pcall(function() while true do end end) end",
    "string.find(('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40))",
    "coroutine.wrap(function() while true do end end)()",
  ])
  func `a script that never ends`(script: String) throws {
    let outcome = try run(script, ["--turn", "0.2"])
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("error[E0404]"))
  }

  @Test(arguments: [
    "local t = {} for i = 1, 1e9 do t[i] = {i} end",
    "local s = 'x' while true do s = s .. s end",
  ])
  func `a script that takes all memory`(script: String) throws {
    let outcome = try run(script, ["--memory", "16M"])
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("error[E"))
    #expect(outcome.errors.contains("memory") || outcome.errors.contains("too l"))
  }

  @Test func `a file of 100 MB`() throws {
    truncate(folder.write("", to: "app.lua"), 100 << 20)
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("100 MiB"))
  }

  @Test func `bytecode`() throws {
    let outcome = try run("\u{1b}Lua")
    #expect(outcome.status == .exited(65))
  }

  @Test(arguments: [
    ("return view.labl { text = 'x' }", "label"),
    ("local m = model 'fruit' { name = 'fig' } print(m.nmae)", "name"),
    ("local m = model 'fruit' { name = 'fig' } m.nmae = 'x'", "name"),
  ])
  func `an unknown name, with the nearest one`(script: String, nearest: String) throws {
    let outcome = try run(script)
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("\"\(nearest)\""))
  }

  @Test(arguments: [
    ("model 'fruit' { name = 'fig' } bind 'fruit.nmae -> fruit.name'", "name"),
    (
      "model 'fruit' { name = 'fig' } return view.label { bindTo = { text = 'friut.name' } }",
      "fruit"
    ),
  ])
  func `an unknown name in a binding is listed, with the nearest one`(
    script: String, nearest: String
  ) throws {
    let outcome = try run(script)
    #expect([.exited(1), .exited(65)].contains(outcome.status))
    #expect(outcome.errors.contains("\(nearest)"))
  }

  @Test func `a picture of one cell`() throws {
    let outcome = try run("return view.label { text = 'hello' }", ["--snapshot", "--size", "1x1"])
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.count <= 2)
  }

  @Test func `a pipe in a script's location`() throws {
    mkfifo(folder.path + "/app.lua", 0o600)
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.contains("is not a text file"))
  }

  @Test func `a script that is gone while it runs`() throws {
    folder.write("return 'words'", to: "words.lua")
    let outcome = try run(
      """
      os.execute("rm words.lua")
      print(pcall(require, "words"))
      os.execute("rm app.lua")
      error("no fruit")
      """, ["--allow", "run"])
    #expect(outcome.status == .exited(65))
    #expect(outcome.output.hasPrefix("false\tthere is no module \"words\""))
    #expect(outcome.errors == "app.lua:4:1: error[E0402]: no fruit\n")
  }

  @Test(arguments: [
    ("transformer('shout', print) bind('n -> n | shuot', o, o)", "shout"),
    ("models.frut.name = 'x'", "fruit"),
    ("view.button { on = { touchUpInsde = print } }", "touchUpInside"),
    ("bind('n -> n | upercase', o, o)", "uppercase"),
    ("bind('n -> n', o, o, { transfrom = 'x' })", "transform"),
    ("observe(o, 'cuont', print)", "count"),
  ])
  func `an unknown transformer, model, event or option, with the nearest one`(
    script: String, nearest: String
  ) throws {
    let outcome = try run(
      "o = object { n = 1, count = 2 } model 'fruit' { name = 'fig' } " + script)
    #expect(outcome.status == .exited(65))
    #expect(outcome.errors.contains("did you mean \"\(nearest)\"?"))
  }

  @Test func `what a module has wrong is told with its location, also by pcall`() throws {
    folder.makeFolder("dir")
    folder.write("local x\n\nx.y = 1", to: "dir/raises.lua")
    folder.write("return ((", to: "dir/syntax.lua")
    folder.write("", to: "dir/empty.lua")
    let caught = try run(
      """
      print(pcall(require, "dir.raises"))
      print(pcall(require, "dir.syntax"))
      print(pcall(require, "dir.empty"))
      """)
    #expect(caught.status == .exited(0))
    let locations = [
      "false\tdir/raises.lua:3: ", "false\tdir/syntax.lua:1: ", "false\tdir/empty.lua:1: ",
    ]
    for (line, location) in zip(caught.outputLines, locations) { #expect(line.hasPrefix(location)) }
    #expect(caught.outputLines.count == 3)
    let raised = try run("\nrequire 'dir.raises'")
    #expect(raised.status == .exited(65))
    #expect(raised.errors.hasPrefix("dir/raises.lua:3:1: error[E0402]: attempt to index"))
    #expect(raised.errors.contains("from app.lua:2: in main chunk"))
  }

  @Test(arguments: [
    "../secret", "/etc/hostname", "..secret", "dir..x", "dir/x", "", "a.", "link", "links.x",
  ])
  func `modules lie below the app's folder`(name: String) throws {
    folder.makeFolder("app")
    folder.makeFolder("other")
    folder.write(["secret.lua": "print('secret')", "other/x.lua": "print('secret')"])
    folder.link("app/link.lua", to: "../secret.lua")
    folder.link("app/links", to: "../other")
    folder.write("print(pcall(require, '\(name)'))", to: "app/main.lua")
    let outcome = try Program.run(["run", "app/main.lua"], in: folder)
    #expect(outcome.status == .exited(0))
    #expect(!outcome.output.contains("secret\n"))
    #expect(outcome.output.contains("module"))
  }

  @Test func `bytes that are no text are printed as they are`() throws {
    let path = folder.write(
      "local o = object { s = '' } o.s = '\\xff\\0\\xfe' print(o.s, list { o.s }[1])", to: "app.lua"
    )
    #expect(!path.isEmpty)
    let outcome = try Program.run(["run", "app.lua"], in: folder)
    #expect(outcome.status == .exited(0))
    #expect(folder.readBytes(".output") == [0xff, 0, 0xfe, 9, 0xff, 0, 0xfe, 10])
  }

  @Test func `bytes that are no text are replaced when they are drawn`() throws {
    let outcome = try run(
      "return view.label { text = 'a\\xffb\\27[31mc' }", ["--snapshot", "--size", "20x1"])
    #expect(outcome.status == .exited(0))
    #expect(outcome.output == "a\u{fffd}b\u{fffd}[31mc\n")
  }

  @Test func `an error cannot steer the terminal`() throws {
    let outcome = try run("error('bad \\27[2J\\7 \\u{202e}x')")
    #expect(outcome.status == .exited(65))
    #expect(outcome.errorLines.first == "app.lua:1:1: error[E0402]: bad \\27[2J\\7 \\u{202e}x")
    #expect(!outcome.errors.contains("\u{1b}"))
  }

  @Test func `numbers that are none, endless ones, and those beyond 2^53`() throws {
    let outcome = try run(
      """
      local o = object { n = 1.5, i = property { default = 0, type = "integer" } }
      o.n = 0/0 print(o.n ~= o.n)
      o.n = 1/0 print(o.n) o.n = -1/0 print(o.n)
      o.i = 2.0^53 print(o.i) o.i = 2^62 print(o.i == 1 << 62)
      o.i = math.maxinteger print(o.i == math.maxinteger)
      for _, bad in ipairs { 2^63, -2^64, 0/0, 1/0, 1.5 } do print(pcall(function() o.i = bad end)) end
      print(o.i == math.maxinteger)
      """)
    #expect(outcome.status == .exited(0))
    #expect(
      outcome.outputLines.prefix(6) == ["true", "inf", "-inf", "9007199254740992", "true", "true"])
    #expect(
      outcome.outputLines.dropFirst(6).prefix(5).allSatisfy {
        $0.contains("o.i holds integer") || $0.contains(".i holds integer")
      })
    #expect(outcome.outputLines.last == "true")
  }

  @Test func `a cycle of bindings is listed with its loop, and the app goes on`() throws {
    let outcome = try run(
      """
      transformer("plus", function(n) return n + 1 end)
      local a, b = model "a" { n = 0 }, model "b" { n = 0 }
      bind("n -> n | plus", a, b)
      bind("n -> n | plus", b, a)
      print("still here")
      """)
    #expect(outcome.status == .exited(1))
    #expect(outcome.output == "still here\n")
    #expect(outcome.errors.contains("error[E0201]"))
    #expect(
      outcome.errors.contains("a.n -> b.n -> a.n") || outcome.errors.contains("b.n -> a.n -> b.n"))
  }

  @Test func `transformers that never return, return nothing, and change what they read`() throws {
    let endless = try run(
      """
      transformer("endless", function() while true do end end)
      after(0.01, function() print("still here") end)
      after(0, function() bind("n -> n | endless", object { n = 1 }, object { n = 2 }) end)
      """, ["--turn", "0.2"])
    #expect(endless.status == .exited(1))
    #expect(endless.output == "still here\n")
    #expect(endless.errors.contains("error[E0404]"))
    let nothing = try run(
      """
      transformer("nothing", function() end)
      local target = object { n = 2 }
      bind("n -> n | nothing", object { n = 1 }, target)
      print(target.n)
      """)
    #expect(nothing.status == .exited(0))
    #expect(nothing.output == "2\n")
    let changing = try run(
      """
      local a, b = object { n = 1 }, object { n = 0 }
      transformer("once", function(n) if n < 5 then a.n = 5 end return n end)
      bind("n -> n | once", a, b)
      print(a.n, b.n)
      a.n = 3
      print(a.n, b.n)
      """)
    #expect(changing.status == .exited(0))
    #expect(changing.output == "5\t5\n5\t5\n")
  }

  @Test func `an observer that ends itself, and one that removes the view it is told of`() throws {
    let outcome = try run(
      """
      local a = object { n = 1 }
      local seen
      seen = observe(a, "n", function(n) print("seen", n) seen:cancel() end)
      a.n = 2 a.n = 3
      local label = view.label { id = "label" }
      show(view.column { label })
      observe(label, "text", function(text) print(text) label:remove() end)
      bind("n -> text", a, label)
      a.n = 4
      local binding
      binding = bind("n -> n", a, object { n = 0 }, { observe = function() binding:unbind() end, initial = false })
      a.n = 5 a.n = 6
      print("end")
      """)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.outputLines.first == "seen\t2")
    #expect(outcome.outputLines.last == "end")
    #expect(!outcome.output.contains("seen\t3"))
  }

  @Test func `deep trees and wide ones`() throws {
    let deep = try run(
      """
      local root = view.column {}
      local inner = root
      for i = 1, 5000 do
        local next = view.column {}
        inner:add(next)
        inner = next
      end
      inner:add(view.label { text = "deep" })
      return root
      """, ["--snapshot", "--size", "10x2", "--turn", "60"])
    #expect(deep.status == .exited(0))
    #expect(deep.output.hasPrefix("deep\n"))
    let wide = try run(
      """
      local labels = {}
      for i = 1, 5000 do labels[i] = view.label { text = "label " .. i } end
      return view.column(labels)
      """, ["--snapshot", "--size", "10x2", "--turn", "60"])
    #expect(wide.status == .exited(0))
    #expect(wide.output == "label 1\nlabel 2\n")
  }

  // MARK: Standard output

  @Test func `standard output that is closed`() throws {
    folder.write("print(1) print(2)", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua"], in: folder, output: .closed)
    #expect(outcome.status == .exited(1))
    #expect(outcome.errors.contains("standard output cannot be written: it is closed"))
    #expect(outcome.errorLines.count == 1)
  }

  @Test func `standard output that nobody reads ends also an endless script`() throws {
    folder.write("while true do print('x') end", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua"], in: folder, output: .broken)
    #expect(outcome.status == .exited(1))
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("standard output cannot be written: nobody reads it any more"))
  }

  @Test func `a closed standard output does not matter to who prints nothing`() throws {
    folder.write("local x = 1", to: "app.lua")
    let outcome = try Program.run(["run", "app.lua"], in: folder, output: .closed)
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors == "")
  }
}
