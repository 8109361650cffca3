import Glibc
import Testing
import TideLua

/// A folder to play in, with a file `inside/fig.txt` and a file `outside/secret.txt`.
final class Playground {
  let path: String

  init() throws {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/tidelua-XXXXXX").utf8CString)
    try #require(mkdtemp(&template) != nil)
    let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Messages give real paths.
    let real = try #require(realpath(made, nil))
    path = String(cString: real)
    free(real)
    for folder in ["inside", "inside/deep", "outside"] { mkdir(path + "/" + folder, 0o755) }
    write("one\ntwo\n\nfour", to: "inside/fig.txt")
    write("secret", to: "outside/secret.txt")
  }

  deinit { Self.removeAll(path) }

  func write(_ text: String, to name: String) {
    guard let file = fopen(path + "/" + name, "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  func read(_ name: String) -> String? {
    guard let file = fopen(path + "/" + name, "r") else { return nil }
    defer { fclose(file) }
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&room, 1, room.count, file)
    return String(decoding: room[..<count], as: UTF8.self)
  }

  func state(_ change: (inout LuaConfiguration) -> Void = { _ in }) throws -> LuaState {
    var configuration = LuaConfiguration()
    configuration.access.read = [path + "/inside"]
    configuration.access.write = [path + "/inside"]
    change(&configuration)
    let state = try LuaState(configuration)
    try state.globals.rawSet("dir", .string(path))
    return state
  }

  private static func removeAll(_ path: String) {
    guard let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      if unlink(path + "/" + name) != 0 { removeAll(path + "/" + name) }
    }
    closedir(folder)
    rmdir(path)
  }
}
