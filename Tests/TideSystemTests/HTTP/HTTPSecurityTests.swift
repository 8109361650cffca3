import Glibc
import TestFolders
import Testing

@testable import TideSystem

/// Servers that have to prove who they are, by certificates that are made for the test.
@Suite(.enabled(if: access("/usr/bin/openssl", X_OK) == 0, "openssl is missing"))
struct HTTPSecurityTests {
  let scene: HTTPScene
  let folder: ScratchFolder

  init() throws {
    scene = try HTTPScene()
    folder = try ScratchFolder()
  }

  @Test func `a certificate that nobody vouches for is an error`() throws {
    let server = try SecureServer(name: "localhost", in: folder)
    defer { server.stop() }
    let failure = try scene.failure("https://localhost:\(server.port)/")
    #expect(failure.kind == .certificate, "\(failure)")
    #expect(
      failure.message.hasPrefix(
        "the certificate of localhost:\(server.port) is not valid for localhost"))
  }

  @Test func `a certificate that is trusted is none`() throws {
    let server = try SecureServer(name: "localhost", in: folder)
    defer { server.stop() }
    scene.client.authorities = server.certificate
    #expect(try scene.get("https://localhost:\(server.port)/").status == 200)
    let plain = try scene.failure("http://localhost:\(server.port)/")
    #expect([.notHTTP, .cut].contains(plain.kind), "\(plain)")
  }

  @Test func `a certificate for another name is an error`() throws {
    let server = try SecureServer(name: "fruit.example", in: folder)
    defer { server.stop() }
    scene.client.authorities = server.certificate
    let failure = try scene.failure("https://localhost:\(server.port)/")
    #expect(failure.kind == .certificate, "\(failure)")
  }

  @Test func `a server that cannot encrypt is an error`() throws {
    let server = HostileServer { connection in
      _ = connection.read(1)
      connection.answer("400 Bad Request")
    }
    let failure = try scene.failure("https://127.0.0.1:\(server.port)/")
    #expect([.handshake, .cut].contains(failure.kind), "\(failure)")
  }

  @Test func `nothing that was encrypted is asked for in the clear`() throws {
    let target = scene.server.url("/plain")
    folder.write(
      "HTTP/1.0 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n", to: "redirect")
    let server = try SecureServer(name: "localhost", in: folder, serving: "-HTTP")
    defer { server.stop() }
    scene.client.authorities = server.certificate
    let failure = try scene.failure("https://localhost:\(server.port)/redirect")
    #expect(failure.kind == .notAllowed, "\(failure)")
    #expect(failure.message.contains("from https to http"))
    #expect(scene.server.connections == 0)
  }

  /// `openssl s_server` on a free port.
  private struct SecureServer {
    let port = HostileServer.deadPort
    let certificate: String
    private let process: pid_t

    init(name: String, in folder: ScratchFolder, serving mode: String = "-www") throws {
      certificate = folder.path + "/certificate"
      let key = folder.path + "/key"
      let made = try Self.start(
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-days", "30", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
          "-keyout", key, "-out", certificate,
        ], in: folder)
      waitpid(made, nil, 0)
      process = try Self.start(
        [
          "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate, "-key", key, "-quiet",
          mode,
        ], in: folder)
      for _ in 0..<500 where !isUp { usleep(10_000) }
      try #require(isUp)
    }

    private var isUp: Bool {
      let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      defer { close(made) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          connect(made, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
    }

    func stop() {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }

    /// In a folder whose files it may serve.
    private static func start(_ arguments: [String], in folder: ScratchFolder) throws -> pid_t {
      let command = "cd \"$0\" && exec openssl \"$@\""
      var strings =
        (["/bin/sh", "-c", command, folder.path] + arguments).map { strdup($0) } + [nil]
      defer { for string in strings { free(string) } }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for stream in 0...2 as ClosedRange<Int32> {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
      }
      var process: pid_t = 0
      try #require(posix_spawn(&process, "/bin/sh", &actions, nil, &strings, environ) == 0)
      return process
    }
  }
}
