import OwnThread
import Glibc
import Synchronization
import Testing
import TideBindings
import TideGraph
import TideScript

@testable import TideREPL

@Suite struct `A session in an app that runs elsewhere` {
  /// Runs an app on this thread while a prompt on another one talks with it.
  private func talk(
    _ script: String = "model 'nothing' {}",
    _ body: @escaping @Sendable (RemoteSession) throws -> Void
  ) async throws {
    try await onOwnThread {
      let app = try AttachedApp(script)
      let folder = app.folder
      let outcome = Guarded<Result<Void, any Error>?>(nil)
      spawnThread {
        let result = Result {
          try body(RemoteSession(AttachClient(RunningApp.find(in: folder))))
        }
        outcome.withLock { $0 = result }
      }
      #expect(
        app.run {
          if app.runtime.exitCode != nil { app.stop(exitCode: app.runtime.exitCode) }
          return outcome.withLock { $0 != nil }
        })
      try outcome.withLock { $0 }?.get()
    }
  }

  private static func text(_ result: RemoteSession.Result) -> String {
    switch result {
    case .unfinished: "unfinished"
    case .values(let lines): lines.joined(separator: "\n")
    case .failed(let message): message.text("error") ?? "?"
    case .failedHere(let error): error.message
    case .quit: "quit"
    }
  }

  @Test func `evaluates there and knows here what is finished`() async throws {
    try await talk("model 'fruit' { name = 'fig' }") { (session: RemoteSession) throws in
      #expect(try Self.text(session.run("local x = models.fruit")) == "")
      #expect(try Self.text(session.run("x.name")) == "\"fig\"")
      #expect(try Self.text(session.run("if x then")) == "unfinished")
      #expect(try Self.text(session.run("x.nme", isComplete: true)).contains("did you mean"))
      #expect(try Self.text(session.run(":nothing")).contains("no command :nothing"))
      #expect(try Self.text(session.run(":load")).contains("write :load file"))
      #expect(try Self.text(session.run(" :quit")) == "quit")
      #expect(!session.isFinished("if x then"))
      #expect(
        session.isFinished("x.name") && session.isFinished(":why x") && session.isFinished(""))
      #expect(session.completion(of: "x.na") == Completion(start: 2, words: ["name"]))
    }
  }

  @Test func `reads and writes files on this side`() async throws {
    try await talk { (session: RemoteSession) throws in
      let file = "/tmp/tidelock-\(getpid())-chunks.lua"
      defer { unlink(file) }
      #expect(try Self.text(session.run("a = 1")) == "")
      #expect(try Self.text(session.run("return a + 1")) == "2")
      #expect(try Self.text(session.run(":save \(file)")) == "2 chunks saved to \(file)")
      #expect(try Self.text(session.run("a = nil")) == "")
      #expect(try Self.text(session.run(":load \(file)")) == "2")
      #expect(try Self.text(session.run(":load /nowhere.lua")).contains("cannot open"))
      #expect(try Self.text(session.run(":save /nowhere/x")).contains("cannot be written"))
      let folder = String(file.dropLast(11))
      #expect(session.completion(of: ":load \(folder)").words == [file])
    }
  }

  @Test func `stops a chunk when somebody wants that`() async throws {
    try await talk { (session: RemoteSession) throws in
      let count = Atomic(0)
      // Asked again and again, and true once.
      session.isInterrupted = { count.add(1, ordering: .relaxed).newValue == 2 }
      #expect(try Self.text(session.run("while true do end")).contains("interrupted"))
      #expect(try Self.text(session.run("1")) == "1")
    }
  }

  @Test func `tells of what is printed, and of the end of the app`() async throws {
    try await talk { (session: RemoteSession) throws in
      let lines = Guarded<[String]>([])
      session.client.onMessage = { message in
        lines.withLock { $0.append(message.text("text") ?? "") }
      }
      #expect(try Self.text(session.run("print('a') print('b')")) == "")
      #expect(lines.withLock { $0 } == ["a", "b"])
      let error = #expect(throws: TideError.self) {
        _ = try session.run(":stop 4")
        while true { _ = try session.run("1") }
      }
      #expect(error?.message == "fruit has ended, with exit code 4")
    }
  }

  @Test func `refuses to send what nobody would take`() async throws {
    try await talk { (session: RemoteSession) throws in
      let text = "x = '" + String(repeating: "x", count: Message.longest) + "'"
      #expect(throws: TideError.self) { try session.run(text) }
      #expect(try Self.text(session.run("1")) == "1")
    }
  }
}
