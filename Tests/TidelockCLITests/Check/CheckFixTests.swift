import Glibc
import TestFolders
import Testing

@Suite struct `Fixing by check` {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `what can hardly be wrong is written, and the rest is told`() throws {
    folder.write([
      "app.lua": """
      model "fruit" { name = "apple" }
      bind "fruit.nmae -> title.text"
      bind "fruit.name => title.text"
      print(dates.today(), unheard)
      return view.labl { id = "title", text = "" }
      """,
      "dates.lua": "local M = {}\nfunction M.today() return 1 end\nreturn M\n",
    ])
    let outcome = try Program.run(["check", "--fix", "app.lua"], in: folder)
    #expect(outcome.status == .exited(2))
    #expect(
      folder.read("app.lua") == """
        local dates = require "dates"
        model "fruit" { name = "apple" }
        bind "fruit.name -> title.text"
        bind "fruit.name -> title.text"
        print(dates.today(), unheard)
        return view.label { id = "title", text = "" }
        """)
    #expect(outcome.output.contains("app.lua:2:13: fixed: change to \"name\""))
    #expect(outcome.errors.contains("unheard"))
    #expect(!outcome.errors.contains("labl"))
  }

  @Test(arguments: [
    "local color1, color3 = 1, 3\nprint(color1, color2, color3)\n",
    "local item = {}\nfor _, one in ipairs(items) do print(one, item) end\n",
    "model \"p\" { [\"first-name\"] = 1 }\nprint(models.p.firstname)\n",
    "local itemAdded = 1\nprint(itemAdded, itemsAdded)\n",
  ])
  func `what may be another word is left to the person`(text: String) throws {
    folder.write(text, to: "app.lua")
    _ = try Program.run(["check", "--fix", "app.lua"], in: folder)
    #expect(folder.read("app.lua") == text)
  }

  @Test(arguments: [
    "print(math.rand(1, 9))\n", "print(host.run)\n", "print(text)\n",
    "local cat, car = 1, 2\nprint(cat + car, cab)\n", "print(os.exit)\n",
    "view.component(\"card\", { events = { \"opened\" }, view = function() return view.label {} end })\n"
      + "return view.card { on = { closed = print } }\n",
  ])
  func `a name that is near to several, or of another kind, is left to the person`(
    text: String
  ) throws {
    folder.write(text, to: "app.lua")
    let outcome = try Program.run(["check", "--fix", "app.lua"], in: folder)
    #expect(outcome.status == .exited(2))
    #expect(folder.read("app.lua") == text)
    #expect(!outcome.output.contains("fixed"))
  }

  @Test(arguments: [
    ("local x = nill\nprint(x, ture, flase)\n", "local x = nil\nprint(x, true, false)\n"),
    ("return view.tabel {}\n", "return view.table {}\n"),
    ("print(os.now())\n", "print(now())\n"),
  ])
  func `constants, swapped letters and globals of a library's table are fixed once`(
    text: String, fixed: String
  ) throws {
    folder.write(text, to: "app.lua")
    let outcome = try Program.run(["check", "--fix", "app.lua"], in: folder)
    #expect(folder.read("app.lua") == fixed)
    #expect(outcome.output.split(separator: "fixed").count <= 4)
  }

  @Test func `a file without mistakes is left alone`() throws {
    folder.write("#!/usr/bin/env tidelock\nreturn view.label { text = \"\" }\n", to: "app.lua")
    let before = folder.read("app.lua")
    #expect(try Program.run(["check", "--fix"], in: folder).status == .exited(0))
    #expect(folder.read("app.lua") == before)
  }

  @Test func `a first line for the shell and a byte order mark stay`() throws {
    for beginning in ["#!/usr/bin/env tidelock\n", "\u{feff}", "#\n"] {
      folder.write(beginning + "print(1)\nreturn view.labl { text = \"\" }\n", to: "app.lua")
      _ = try Program.run(["check", "--fix"], in: folder)
      #expect(folder.read("app.lua") == beginning + "print(1)\nreturn view.label { text = \"\" }\n")
    }
  }

  @Test func `a link stays, and its file is fixed`() throws {
    folder.write("return view.labl { text = \"\" }\n", to: "real.lua")
    folder.link("app.lua", to: "real.lua")
    _ = try Program.run(["check", "--fix", "app.lua"], in: folder)
    #expect(folder.read("real.lua") == "return view.label { text = \"\" }\n")
    var status = stat()
    lstat(folder.path + "/app.lua", &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `lines end as they did`() throws {
    folder.write([
      "app.lua": "\u{feff}print(dates.today())\r\nreturn view.labl { text = \"\" }\r\n",
      "dates.lua": "local M = {}\nfunction M.today() return 1 end\nreturn M\n",
    ])
    _ = try Program.run(["check", "--fix", "app.lua"], in: folder)
    #expect(
      folder.read("app.lua")
        == "\u{feff}local dates = require \"dates\"\r\nprint(dates.today())\r\n"
        + "return view.label { text = \"\" }\r\n")
  }

  private func status(of name: String) -> stat {
    var status = stat()
    lstat(folder.path + "/" + name, &status)
    return status
  }

  @Test func `a file with two names keeps both, and no other file is left`() throws {
    folder.write("return view.labl { text = \"\" }\n", to: "app.lua")
    Glibc.link(folder.path + "/app.lua", folder.path + "/same.txt")
    _ = try Program.run(["check", "--fix", "app.lua"], in: folder)
    #expect(folder.read("same.txt") == "return view.label { text = \"\" }\n")
    #expect(status(of: "app.lua").st_ino == status(of: "same.txt").st_ino)
    #expect(folder.entries(of: ".").filter { !$0.hasPrefix(".") } == ["app.lua", "same.txt"])
  }

  @Test(.enabled(if: geteuid() == 0)) func `a file of another user's stays that user's`() throws {
    folder.write("return view.labl { text = \"\" }\n", to: "app.lua")
    chown(folder.path + "/app.lua", 1234, 2345)
    chmod(folder.path + "/app.lua", 0o640)
    _ = try Program.run(["check", "--fix", "app.lua"], in: folder)
    #expect(folder.read("app.lua") == "return view.label { text = \"\" }\n")
    let found = status(of: "app.lua")
    #expect([found.st_uid, found.st_gid, found.st_mode & 0o7777] == [1234, 2345, 0o640])
  }

  @Test func `watching tells again what is saved`() throws {
    folder.write("print(x)\n", to: "app.lua")
    let program = try Program(["check", "--watch"], in: folder)
    program.wait { $0.output.contains("1 error.") }
    folder.write("print(1)\n", to: "app.lua")
    program.wait { $0.output.contains("nothing found.") }
    folder.write("print(y)\n", to: "new.lua")
    program.wait { $0.errors.contains("new.lua:1:7") }
    // A folder that had no script before.
    folder.makeFolder("parts")
    usleep(200_000)
    folder.write("print(z)\n", to: "parts/first.lua")
    program.wait { $0.errors.contains("parts/first.lua:1:7") }
    program.send(SIGINT)
    let outcome = program.finish()
    #expect(outcome.output.contains("Checked 1 file: nothing found."))
    #expect(outcome.errors.contains("new.lua:1:7"))
    #expect(outcome.errors.contains("parts/first.lua:1:7"))
  }

  @Test(arguments: [["--watch", "--fix"], ["--watch", "--format", "junit"]])
  func `what asks for two things is refused`(flags: [String]) throws {
    #expect(try Program.run(["check"] + flags, in: folder).status == .exited(64))
  }
}
