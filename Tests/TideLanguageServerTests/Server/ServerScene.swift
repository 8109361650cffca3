import EditorClients
import OwnThread
import TestFolders
import TideLanguageServer
import TideSystem
import TideTest
import TideValues
import Testing

/// A server in this process, on a thread of its own, and an editor that talks to it.
final class ServerScene {
  let folder: ScratchFolder
  let client: EditorClient
  private let thread: JoinedThread
  private let ending = Guarded<LanguageServer.Ending?>(nil)

  /// - Parameters:
  ///   - waiting: how many bytes may wait for the client to read them.
  ///   - features: further features of the server.
  init(
    waiting: Int = 64 << 20, features: @escaping @Sendable () -> [any Feature] = { [] }
  ) throws {
    folder = try ScratchFolder()
    let (input, output) = (try Channel(), try Channel())
    client = EditorClient(reading: output.reading, writing: input.writing)
    let (ending, reading, writing) = (ending, input.reading, output.writing)
    thread = JoinedThread {
      defer {
        close(writing)
        // Tells the client that nobody reads any more, as when a program has ended.
        shutdown(reading, Int32(SHUT_RD))
      }
      guard let connection = try? Connection(input: reading, output: writing, waiting: waiting)
      else {
        return
      }
      var options = LanguageServer.Options()
      options.specs = .tidelock
      let server = LanguageServer(
        connection, options: options, features: LanguageServer.features + features())
      let ended = server.run()
      ending.withLock { $0 = ended }
    }
  }

  /// Writes files, and starts the session in their folder.
  func start(_ files: KeyValuePairs<String, String> = [:], capabilities: JSONValue = [:]) {
    folder.write(files)
    client.initialize(root: folder.path, capabilities: capabilities)
  }

  /// Waits for the server to end.
  func finish() -> LanguageServer.Ending? {
    thread.join()
    return ending.withLock { $0 }
  }

  /// Closes the client's end first.
  func cut() -> LanguageServer.Ending? {
    client.endOutput()
    return finish()
  }
}
