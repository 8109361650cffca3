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
    let token = try TokenFile(path).token()
    #expect(token.utf8.count == Secret.length)
    #expect(mode() == 0o600)
    #expect(folder.read("token") == token + "\n")
    #expect(try TokenFile(path).token() == token)
    #expect(folder.entries(of: "") == ["token"])
  }

  @Test func `folders above it are made where they are wanted`() throws {
    let deep = TokenFile(folder.path + "/a/b/token")
    #expect(throws: TideError.self) { try deep.token() }
    let token = try deep.token(makesFolder: true)
    #expect(folder.read("a/b/token") == token + "\n")
  }

  @Test(arguments: ["0123456789abcdef", "A-token_that.is~mine"])
  func `one that somebody has written is taken as it is`(token: String) throws {
    for end in ["", "\n", " \r\n\n"] {
      folder.write(token + end, to: "token")
      chmod(path, 0o400)
      #expect(try TokenFile(path).token() == token)
      chmod(path, 0o600)
    }
  }

  @Test(arguments: [
    "", "\n", "short", "two words that are long", "0123456789abcdef\n0123456789abcdef",
    "0123456789abcde/", "0123456789abcde?", "0123456789äöü456789",
    String(repeating: "x", count: 257),
  ])
  func `what is no token is refused, and stays`(text: String) throws {
    folder.write(text, to: "token")
    chmod(path, 0o600)
    let error = #expect(throws: TideError.self) { try TokenFile(path).token() }
    #expect(error?.code == .serving)
    #expect(error?.message.contains("holds no token") == true)
    #expect(folder.read("token") == text)
  }

  @Test(arguments: [0o644, 0o640, 0o660, 0o602] as [mode_t])
  func `one that others may read or write is refused, with what to do`(mode: mode_t) throws {
    folder.write("0123456789abcdef", to: "token")
    chmod(path, mode)
    let error = #expect(throws: TideError.self) { try TokenFile(path).token() }
    #expect(error?.message.contains("chmod 600 \(path)") == true)
    #expect(error?.message.contains("0123456789abcdef") == false)
  }

  @Test func `a folder, and a file that cannot be made, are told of`() throws {
    folder.makeFolder("token")
    chmod(path, 0o700)
    let error = #expect(throws: TideError.self) { try TokenFile(path).token() }
    #expect(error?.message.contains("is a folder") == true)
    let none = #expect(throws: TideError.self) {
      try TokenFile(folder.path + "/none/token").token()
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
