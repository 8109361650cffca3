import Foundation
import NatsServers
import TestFolders
import TideSystem
import TideValues

@testable import TideShare

/// Somebody who changes a server's buckets while runtimes use them.
final class Administrator {
  private let connection: NatsConnection
  private let loop: EventLoop
  private let subscription: NatsConnection.Subscription
  private let answers = Guarded<[String]>([])

  init(_ server: NatsServer) throws {
    loop = try EventLoop()
    let answers = answers
    connection = try NatsConnection(
      NatsOptions(server.address()), name: "administrator", loop.inbox,
      take: { message in
        answers.withLock { $0.append(String(decoding: message.data, as: UTF8.self)) }
      }, note: { _ in })
    subscription = try connection.subscribe("administrator")
  }

  /// The answer to a request; empty where there is none within some seconds.
  @discardableResult
  func ask(_ subject: String, _ text: String = "") -> String {
    answers.withLock { $0 = [] }
    _ = connection.publish(subject, reply: "administrator", Array(text.utf8))
    let deadline = Date.now + 5
    while Date.now < deadline {
      loop.turn(timeout: 0.01)
      if let answer = answers.withLock({ $0.first }) { return answer }
    }
    return ""
  }

  /// A certificate for 127.0.0.1 that trusts itself.
  static func makeCertificate(in folder: ScratchFolder) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-keyout", folder.path + "/key.pem", "-out", folder.path + "/cert.pem", "-days", "2", "-subj",
      "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }
}
