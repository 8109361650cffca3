import Foundation
package import TestFolders

/// `nats-server` on a free port of the loopback, with its data in a folder of its own.
package final class NatsServer {
  package let folder: ScratchFolder
  package private(set) var port = 0
  private var process: Process?
  private let configuration: String

  package struct Failure: Error {
    let text: String
  }

  /// Starts it.
  ///
  /// - Parameter configuration: further lines of its configuration.
  package init(_ configuration: String = "jetstream {}", folder: ScratchFolder? = nil) throws {
    self.folder = try folder ?? ScratchFolder()
    self.configuration = configuration
    try start()
  }

  /// One that is not started, on a port that is free.
  package static func unstarted() throws -> NatsServer {
    let server = try NatsServer()
    server.kill()
    return server
  }

  deinit { kill() }

  package func address(_ bucket: String = "tests", login: String = "", scheme: String = "nats")
    -> String
  {
    "\(scheme)://\(login)127.0.0.1:\(port)/\(bucket)"
  }

  /// Starts it on the port that it had, or on a free one.
  package func start() throws {
    let ports = folder.path + "/ports"
    try? FileManager.default.createDirectory(atPath: ports, withIntermediateDirectories: true)
    let jetstream =
      configuration.contains("jetstream {}")
      ? "jetstream { store_dir: \"\(folder.path)/data\" }\n" : ""
    let text =
      "host: 127.0.0.1\nport: \(port == 0 ? -1 : port)\nports_file_dir: \"\(ports)\"\n" + jetstream
      + configuration.replacingOccurrences(of: "jetstream {}", with: "")
    let file = folder.write(text, to: "nats.conf")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["nats-server", "-c", file]
    // Debian's is where not everybody's path leads.
    var environment = ProcessInfo.processInfo.environment
    environment["PATH", default: "/usr/bin"] += ":/usr/sbin"
    process.environment = environment
    let log = folder.write("", to: "log")
    process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
    try process.run()
    self.process = process
    let deadline = Date.now + 10
    while Date.now < deadline, process.isRunning {
      if folder.read("log").contains("Server is ready") {
        if port != 0 { return }
        let name = try FileManager.default.contentsOfDirectory(atPath: ports).first ?? ""
        port = Self.port(in: folder.read("ports/\(name)"))
        if port != 0 { return }
      }
      usleep(10_000)
    }
    throw Failure(text: "nats-server has not started: \(folder.read("log"))")
  }

  /// Of `{"nats":["nats://127.0.0.1:4222"], …}`.
  private static func port(in text: String) -> Int {
    guard let range = text.range(of: "nats://127.0.0.1:") ?? text.range(of: "tls://127.0.0.1:")
    else {
      return 0
    }
    return Int(text[range.upperBound...].prefix { $0.isNumber }) ?? 0
  }

  /// Ends it at once, as a power cut does.
  package func kill() {
    guard let process else { return }
    self.process = nil
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// All that it has kept is gone.
  package func loseData() { try? FileManager.default.removeItem(atPath: folder.path + "/data") }
}
