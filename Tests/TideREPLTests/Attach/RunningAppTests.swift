import OwnThread
import Glibc
import TestFolders
import Testing
import TideBindings
import TideGraph
import TideScript

@testable import TideREPL

@Suite struct `Running apps` {
  /// The message of what is thrown.
  private func message(_ body: () throws(TideError) -> Void) -> String {
    do throws(TideError) { try body() } catch { return error.message }
    return ""
  }

  @Test(arguments: [
    ("/home/ada/todo.lua", "todo"), ("/home/ada/todo/app.lua", "todo"), ("/x/main.lua", "x"),
    ("/x/init.lua", "x"), ("app.lua", "app"), ("/a/b c+d.lua", "b-c-d"), ("/a/größe.lua", "größe"),
  ])
  func `are called by their script or folder`(_ script: String, _ name: String) {
    #expect(RunningApp.name(ofScript: script) == name)
  }

  @Test func `are found by name, process or both, and the only one without`() async throws {
    try await onOwnThread {
      let app = try AttachedApp()
      let process = getpid()
      for name in [nil, "", "fruit", "\(process)", "fruit-\(process)"] {
        #expect(try RunningApp.find(name, in: app.folder).description == "fruit-\(process)")
      }
      #expect(
        message { () throws(TideError) in _ = try RunningApp.find("friut", in: app.folder) }
          .contains("did you mean \"fruit\"?"))
      let second = try AttachServer(
        app.runtime, name: "fruit", script: "b.lua", in: app.folder)
      #expect(second.app.description == "fruit-2-\(process)")
      let many = message { () throws(TideError) in _ = try RunningApp.find(in: app.folder) }
      #expect(many.contains("2 apps run") && many.contains("fruit-2-\(process)"))
      let same = message { () throws(TideError) in
        _ = try RunningApp.find("\(process)", in: app.folder)
      }
      #expect(same.contains("2 apps are called"))
      second.stop()
      #expect(RunningApp.all(in: app.folder).count == 1)
    }
  }

  @Test func `that are none are told with how to look into private sessions`() throws {
    let scratch = try ScratchFolder()
    let folder = RuntimeFolder(path: scratch.path + "/none")
    let text = message { () throws(TideError) in _ = try RunningApp.find(in: folder) }
    #expect(text.contains("tidelock run FILE") && text.contains("the second address"))
  }

  @Test func `that died leave a socket that is taken away`() async throws {
    try await onOwnThread {
      let app = try AttachedApp()
      let stale = app.folder.path + "/todo-1"
      close(try LocalSocket.listen(at: stale))
      #expect(app.folder.entries.contains("todo-1"))
      #expect(RunningApp.all(in: app.folder).map(\.name) == ["fruit"])
      #expect(!app.folder.entries.contains("todo-1"))
      // What is no socket of ours is left alone.
      close(open(app.folder.path + "/notes", O_CREAT | O_WRONLY, 0o600))
      #expect(RunningApp.all(in: app.folder).map(\.name) == ["fruit"])
      #expect(app.folder.entries.contains("notes"))
    }
  }

  @Test func `are not looked for where others may write`() async throws {
    try await onOwnThread {
      let app = try AttachedApp()
      chmod(app.folder.path, 0o755)
      #expect(RunningApp.all(in: app.folder).isEmpty)
      let reason = message { () throws(TideError) in _ = try RunningApp.find(in: app.folder) }
      #expect(reason.contains("chmod 700"))
      #expect(
        message { () throws(TideError) in
          _ = try AttachServer(app.runtime, name: "x", script: "x", in: app.folder)
        }.contains("others may use"))
      chmod(app.folder.path, 0o700)
    }
  }

  @Test func `without a folder or a name that fits do without`() async throws {
    try await onOwnThread {
      let app = try AttachedApp()
      for path in ["/proc/nothing/here", app.folder.path + "/.app.lua"] {
        let folder = RuntimeFolder(path: path)
        #expect(
          !message { () throws(TideError) in
            _ = try AttachServer(app.runtime, name: "x", script: "x", in: folder)
          }.isEmpty)
        #expect(
          message { () throws(TideError) in _ = try RunningApp.find(in: folder) }.isEmpty == false)
      }
      let name = String(repeating: "größe", count: 50)
      let long = try AttachServer(app.runtime, name: name, script: "x", in: app.folder)
      #expect(long.app.name.utf8.count <= 40)
      long.stop()
      let deep = RuntimeFolder(path: app.folder.path + "/" + String(repeating: "d", count: 100))
      #expect(
        message { () throws(TideError) in
          _ = try AttachServer(app.runtime, name: "x", script: "x", in: deep)
        }.contains("nothing can listen"))
      rmdir(deep.path)
    }
  }
}
