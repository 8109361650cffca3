import FoundationEssentials
import TestFolders
import Testing

struct NewTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(arguments: ["counter", "apps/my-counter", "Counter_2/"])
  func `it makes an app that is checked and runs`(name: String) throws {
    let outcome = try Program.run(["new", name], in: folder)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.contains("tidelock run app.lua"))
    #expect(outcome.output.contains("tidelock test"))
    #expect(
      folder.entries(of: name) == [
        ".busted", ".dir-locals.el", ".helix", ".kateproject", ".luacheckrc", ".luarc.json",
        ".tidelock", "README.md", "app.lua", "spec",
      ])
    let check = try Program.run(["check", name], in: folder)
    #expect(check.status == .exited(0), "\(check.errors)")
    #expect(check.output == "Checked 2 files: nothing found.\n")
    let run = try Program.run(["run", name + "/app.lua", "--snapshot"], in: folder)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(run.output.contains("Hello!"))
    #expect(run.output.contains("0 presses"))
    let keys = ["run", name + "/app.lua", "--snapshot", "--keys", "Tab A d a Tab Enter"]
    let used = try Program.run(keys, in: folder)
    #expect(used.output.contains("Hello, Ada!"))
    #expect(used.output.contains("1 press"))
    #expect(folder.read(name + "/.tidelock/types.lua").contains("---@class model.counter"))
    let linter = folder.read(name + "/.luacheckrc")
    #expect(linter.contains("\"transformer\","))
    // Its own spec writes to models.
    #expect(linter.contains("\nglobals = { \"hot\", \"models\", \"views\" }\n"))
    #expect(!linter.dropFirst(linter.count / 4).contains("\"models\""))
  }

  @Test(arguments: ["board", "desk", "ledger", "logs", "services"])
  func `a template is a copy of an example, whose specs pass`(template: String) throws {
    let outcome = try Program.run(["new", "mine", "--template", template], in: folder)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.contains("runs spec/\(template)_spec.lua"))
    let check = try Program.run(["check", "mine"], in: folder)
    #expect(check.status == .exited(0), "\(check.errors)")
    let test = try Program.run(["test", "mine/spec"], in: folder)
    #expect(test.status == .exited(0), "\(test.output)")
    #expect(test.output.contains(" 0 failures / 0 errors"))
    #expect(folder.read("mine/.tidelock/types.lua").contains("---@class model."))
    #expect(folder.read("mine/README.md").hasPrefix("# mine\n"))
  }

  @Test(arguments: ["board", "desk", "ledger", "logs", "services"])
  func `a template has all scripts of its example, as they are`(template: String) throws {
    _ = try Program.run(["new", "mine", "--template", template], in: folder)
    let example = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../examples/\(template)").standardized
    let scripts = try FileManager.default.subpathsOfDirectory(atPath: example.path)
      .filter { $0.hasSuffix(".lua") }
    #expect(scripts.count > 3)
    for script in scripts {
      let text = try String(contentsOf: example.appending(path: script), encoding: .utf8)
      #expect(folder.read("mine/" + script) == text, "\(script)")
    }
  }

  @Test func `the tutorial as a template has its six steps, whose specs pass`() throws {
    let outcome = try Program.run(["new", "mine", "--template", "tutorial"], in: folder)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(outcome.output.contains("tidelock run step1/app.lua"))
    #expect(outcome.output.contains("runs step6/spec/dashboard_spec.lua"))
    let example = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../examples/tutorial").standardized
    let files = try FileManager.default.subpathsOfDirectory(atPath: example.path)
      .filter { $0.hasPrefix("step") && $0.contains(".") }
    #expect(files.count > 15)
    for file in files {
      let text = try String(contentsOf: example.appending(path: file), encoding: .utf8)
      #expect(folder.read("mine/" + file) == text, "\(file)")
    }
    let run = try Program.run(["run", "mine/step1/app.lua", "--snapshot"], in: folder)
    #expect(run.output.contains("3 services"), "\(run.errors)")
    #expect(try Program.run(["check", "mine"], in: folder).status == .exited(0))
    let test = try Program.run(["test", "mine/step6/spec"], in: folder)
    #expect(test.status == .exited(0), "\(test.output)")
  }

  @Test func `a template that is not there is a usage error with those that are`() throws {
    let outcome = try Program.run(["new", "mine", "--template", "log"], in: folder)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains("ledger") && outcome.errors.contains("services"))
    #expect(!folder.entries(of: ".").contains("mine"))
  }

  @Test func `an empty folder is filled, one with something in it is left alone`() throws {
    folder.makeFolder("empty")
    #expect(try Program.run(["new", "empty"], in: folder).status == .exited(0))
    folder.makeFolder("full")
    folder.write("mine", to: "full/app.lua")
    let outcome = try Program.run(["new", "full"], in: folder)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains("has something in it"))
    #expect(folder.entries(of: "full") == ["app.lua"])
    #expect(folder.read("full/app.lua") == "mine")
    folder.write("mine", to: "file")
    #expect(try Program.run(["new", "file"], in: folder).errors.contains("no folder"))
  }

  @Test(arguments: ["", ".", "..", "../", "/", "my app", "9lives", "a\nb", "-x", "ü", "a;b", "a/."])
  func `a bad name is a usage error`(name: String) throws {
    let outcome = try Program.run(["new", "--", name], in: folder)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains("is not a valid app name"))
  }

  @Test(arguments: [("my app", "my-app"), ("a.b/c.d", "c-d"), ("9lives", "lives"), ("-x", "x")])
  func `a name that would do is told`(name: String, better: String) throws {
    let outcome = try Program.run(["new", "--", name], in: folder)
    #expect(outcome.errors.contains("- and _; \(better) would do."))
  }

  @Test func `a folder that cannot be made is told`() throws {
    folder.write("", to: "file")
    let outcome = try Program.run(["new", "file/app"], in: folder)
    #expect(outcome.status == .exited(66))
    #expect(outcome.errors.contains("error[E0407]: cannot"))
  }

  @Test func `as JSON`() throws {
    let outcome = try Program.run(["new", "x", "--json"], in: folder)
    #expect(outcome.output.hasPrefix("{\"folder\":\"x\",\"files\":[\"app.lua\","))
  }
}
