import TestFolders
import Testing
import TideBindings
import TideSystem
import WebClients

@testable import TideWeb

/// The token that stays over restarts.
@Suite struct TokenFileTests {
  let folder: ScratchFolder
  private var path: String { folder.path + "/token" }

  init() throws { folder = try ScratchFolder() }

  private func mode() -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func `it is made once, for its user alone`() throws {
    let kept = try TokenFile(path).kept()
    #expect(kept.token.utf8.count == Secret.length)
    #expect(kept.key.utf8.count == 64)
    #expect(mode() == 0o600)
    #expect(folder.read("token") == "\(kept.token)\n\(kept.key)\n")
    #expect(try TokenFile(path).kept() == kept)
    #expect(folder.entries(of: "") == ["token"])
  }

  @Test func `folders above it are made where they are wanted`() throws {
    let deep = TokenFile(folder.path + "/a/b/token")
    #expect(throws: TideError.self) { try deep.kept() }
    let kept = try deep.kept(makesFolder: true)
    #expect(folder.read("a/b/token") == "\(kept.token)\n\(kept.key)\n")
  }

  @Test(arguments: ["0123456789abcdef", "A-token_that.is~mine"])
  func `one that somebody has written is given a key, and keeps its mode`(token: String) throws {
    for end in ["", "\n", " \r\n\n", "\r\n"] {
      folder.write(token + end, to: "token")
      chmod(path, 0o400)
      let kept = try TokenFile(path).kept()
      #expect(kept.token == token)
      #expect(mode() == 0o400)
      #expect(folder.read("token") == "\(token)\n\(kept.key)\n")
      #expect(try TokenFile(path).kept() == kept)
      #expect(folder.entries(of: "") == ["token"])
      chmod(path, 0o600)
    }
  }

  @Test func `a link of its user stays when the key is added`() throws {
    folder.write("0123456789abcdef\n", to: "real")
    chmod(folder.path + "/real", 0o600)
    symlink("real", path)
    let kept = try TokenFile(path).kept()
    #expect(folder.read("real") == "0123456789abcdef\n\(kept.key)\n")
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `a pipe and a device are refused at once`() throws {
    mkfifo(path, 0o600)
    for name in [path, "/dev/zero"] {
      let error = #expect(throws: TideError.self) { try TokenFile(name).kept() }
      #expect(error?.message.contains("is no plain file") == true)
    }
  }

  @Test(.enabled(if: geteuid() == 0)) func `one that belongs to another user is refused`() throws {
    folder.write("0123456789abcdef\n", to: "foreign")
    chmod(folder.path + "/foreign", 0o600)
    chown(folder.path + "/foreign", 65534, 65534)
    symlink("foreign", path)
    for name in [path, folder.path + "/foreign"] {
      let error = #expect(throws: TideError.self) { try TokenFile(name).kept() }
      #expect(error?.message.contains("belongs to another user") == true)
    }
  }

  @Test func `one in a folder that scripts may use is refused`() throws {
    for name in ["data", "data/deep"] { folder.makeFolder(name) }
    folder.makeFolder("other")
    let (data, other) = (folder.path + "/data", folder.path + "/other")
    for name in ["data/token", "data/deep/token", "other/../data/token"] {
      let file = TokenFile("\(folder.path)/\(name)")
      let error = #expect(throws: TideError.self) { try file.requireOutside(of: [other, data]) }
      #expect(error?.message.contains("lies in \(data)") == true)
    }
    _ = try TokenFile(data + "/token").kept()
    symlink("data/token", path)
    #expect(throws: TideError.self) { try TokenFile(path).requireOutside(of: [data]) }
    #expect(throws: Never.self) {
      try TokenFile(other + "/token").requireOutside(of: [data, folder.path + "/none"])
    }
  }

  @Test(arguments: [
    "", "\n", "short", "two words that are long", "0123456789abcdef\n0123456789abcdef",
    "0123456789abcdef\n" + String(repeating: "g", count: 64),
    "0123456789abcdef\n" + String(repeating: "a", count: 64) + "\nmore",
    "0123456789abcde/", "0123456789abcde?", "0123456789äöü456789",
    String(repeating: "x", count: 257),
  ])
  func `what is no token is refused, and stays`(text: String) throws {
    folder.write(text, to: "token")
    chmod(path, 0o600)
    let error = #expect(throws: TideError.self) { try TokenFile(path).kept() }
    #expect(error?.code == .serving)
    #expect(error?.message.contains("holds no token") == true)
    #expect(folder.read("token") == text)
  }

  @Test(arguments: [0o644, 0o640, 0o660, 0o602] as [mode_t])
  func `one that others may read or write is refused, with what to do`(mode: mode_t) throws {
    folder.write("0123456789abcdef", to: "token")
    chmod(path, mode)
    let error = #expect(throws: TideError.self) { try TokenFile(path).kept() }
    #expect(error?.message.contains("chmod 600 \(path)") == true)
    #expect(error?.message.contains("0123456789abcdef") == false)
  }

  @Test func `a folder, and a file that cannot be made, are told of`() throws {
    folder.makeFolder("token")
    chmod(path, 0o700)
    let error = #expect(throws: TideError.self) { try TokenFile(path).kept() }
    #expect(error?.message.contains("is a folder") == true)
    let none = #expect(throws: TideError.self) {
      try TokenFile(folder.path + "/none/token").kept()
    }
    #expect(none?.message.contains("cannot be made") == true)
  }

  @Test func `an address and a cookie are good for the next run`() throws {
    var options = WebOptions()
    options.tokenFile = path
    let script = "show(view.label { text = 'hello' })"
    let (token, value) = try {
      let app = try ServedApp(script, options)
      return (app.token, String(app.address.cookie.drop { $0 != "=" }.dropFirst()))
    }()
    // Another program may have the port by now.
    let app = try ServedApp(script, options)
    #expect(app.token == token)
    for (target, status) in [("/", "200"), ("/?token=\(app.token)", "303")] {
      let client = try RawClient(port: app.port)
      client.send(
        app.request(target, cookie: false, ["Cookie: tidelock-\(app.port)=\(value)"]))
      let head = client.head()
      #expect(head.hasPrefix("HTTP/1.1 \(status)"), "\(head)")
      #expect(!head.contains("set-cookie"), "\(head)")
    }
    let newcomer = try RawClient(port: app.port)
    newcomer.send(app.request("/?token=\(app.token)", cookie: false))
    #expect(newcomer.head().contains("; Max-Age=\(Admission.lifetime)\r\n"))
    // With another token both are good no more.
    unlink(path)
    let other = try ServedApp(script, options)
    #expect(other.token != app.token)
    let late = try RawClient(port: other.port)
    late.send(other.request("/", cookie: false, ["Cookie: tidelock-\(other.port)=\(value)"]))
    #expect(late.head().hasPrefix("HTTP/1.1 403"))
  }
}
