import Glibc
import Testing

@testable import TideSystem

/// The folders, files and sockets that attacks use.
final class AttackScene {
  let path: String
  private var sockets: [Int32] = []

  init() throws {
    var template = Array("/tmp/tidelock-attacks-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for name in ["readable", "readable-not", "writable", "outside"] {
      mkdir(path + "/" + name, 0o755)
    }
    let files = ["cut", "file", "gone", "moded", "moved", "old"].map { "outside/" + $0 }
    for name in files + ["readable/file", "readable-not/file", "writable/file"] {
      let file = open(path + "/" + name, O_WRONLY | O_CREAT, 0o644)
      write(file, "x\n", 2)
      close(file)
    }
    symlink("../outside/file", path + "/readable/way-out")
    sockets = [
      listen(at: "outside/listener", Int32(SOCK_STREAM.rawValue)),
      listen(at: "outside/datagrams", Int32(SOCK_DGRAM.rawValue)),
    ]
  }

  deinit {
    for socket in sockets { close(socket) }
    let folders = ["readable", "readable-not", "writable", "outside", ""].map { path + "/" + $0 }
    for folder in folders {
      for name in ReadableFile.names(in: folder) ?? [] {
        let entry = folder + "/" + name
        if unlink(entry) != 0 { rmdir(entry) }
      }
    }
    rmdir(path)
  }

  private func listen(at name: String, _ kind: Int32) -> Int32 {
    let made = socket(AF_UNIX, kind, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (path + "/" + name).utf8) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = bind(made, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    Glibc.listen(made, 8)
    return made
  }
}
