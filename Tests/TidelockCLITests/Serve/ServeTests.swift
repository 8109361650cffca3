import Glibc
import TestFolders
import Testing
import WebClients

/// `tidelock serve`, as a person starts it: confined, on a free port.
@Suite(.serialized) struct ServeTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    folder.write(
      """
      fruit = model "fruit" { name = "apple" }
      show(view.label { bindTo = { text = "fruit.name" } })
      """, to: "app.lua")
  }

  private func start(_ arguments: String...) throws -> (program: Program, url: String) {
    let program = try Program(["serve", "app.lua"] + arguments, in: folder)
    program.wait { $0.output.contains("\n") }
    return (program, program.output.split(separator: "\n").first.map(String.init) ?? "")
  }

  /// What a shell command writes, which is run in the folder.
  private func shell(_ command: String) throws -> String {
    let own = try ScratchFolder()
    let program = try Program(
      executable: ["/bin/sh", "-c", "cd \(folder.path) && \(command)"], in: own, output: .captured)
    return program.finish().output
  }

  /// Answers of a server to requests, without a library.
  private func request(_ url: String, _ program: String = "exec 3<>/dev/tcp/$host/$port") throws
    -> String
  {
    let rest = url.dropFirst(url.hasPrefix("https") ? 8 : 7)
    let place = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(place.count)
    let text = "GET \(path) HTTP/1.1\\r\\nHost: \(place)\\r\\nConnection: close\\r\\n\\r\\n"
    if url.hasPrefix("https") {
      return try shell(
        "printf '\(text)' | openssl s_client -quiet -ign_eof -connect \(place) 2>/dev/null")
    }
    return try shell(
      "bash -c \"exec 3<>/dev/tcp/\(place.replacing(":", with: "/")); printf '\(text)' >&3; cat <&3\""
    )
  }

  @Test(arguments: [[], ["--sessions", "private"], ["--no-watch"]])
  func `it answers and ends in order, each time`(arguments: [String]) throws {
    for _ in 0..<8 {
      let program = try Program(["serve", "app.lua"] + arguments, in: folder)
      program.wait { $0.output.contains("?token=") }
      let url = program.output.split(separator: "\n").first.map(String.init) ?? ""
      #expect(try request(url).hasPrefix("HTTP/1.1 303"))
      program.send(SIGTERM)
      let outcome = program.finish()
      #expect(outcome.status == .signalled(SIGTERM), "\(outcome)")
      #expect(outcome.errors == "")
    }
  }

  @Test func `a save while a question is open in pages waits until it is gone`() throws {
    folder.write(
      """
      local task = spawn(function() ask { text = "Sure?" } end)
      print "asked"
      every(0.05, function() if file.exists("go") then task:cancel() end end)
      return view.label { text = "below" }
      """, to: "app.lua")
    let (program, _) = try start("--allow", "read=.")
    // The address is told before the app is read.
    program.wait { $0.output.contains("asked") }
    folder.write("return view.label { text = 'new' }", to: "app.lua")
    program.wait { $0.errors.contains("saved; it reloads when the question is answered") }
    #expect(!program.errors.contains("reloaded"))
    folder.write("", to: "go")
    program.wait { $0.errors.contains("reloaded 1 of 1") }
    program.send(SIGTERM)
    #expect(program.finish().status == .signalled(SIGTERM))
  }

  @Test(.enabled(if: access("/usr/bin/openssl", X_OK) == 0, "openssl is missing"))
  func `with a certificate connections are encrypted, and the cookie is for such alone`() throws {
    try makeCertificate()
    let (program, url) = try start("--certificate", "chain.pem", "--key", "key.pem")
    #expect(url.hasPrefix("https://localhost:"))
    let answer = try request(url)
    #expect(answer.hasPrefix("HTTP/1.1 303"), "\(answer)")
    #expect(answer.contains("HttpOnly; SameSite=Strict; Path=/; Secure"))
    // Who does not encrypt gets nothing.
    #expect(try request(url.replacing("https", with: "http")) == "")
    program.send(SIGTERM)
    #expect(program.finish().status == .signalled(SIGTERM))
  }

  @Test(.enabled(if: access("/usr/bin/openssl", X_OK) == 0, "openssl is missing"))
  func `a certificate that is of no use is refused with why`() throws {
    try makeCertificate()
    _ = try shell(
      """
      openssl ecparam -genkey -name prime256v1 -noout -out other.pem
      openssl x509 -in chain.pem -signkey key.pem -days -1 -out old.pem
      openssl pkey -in key.pem -aes256 -passout pass:secret -out locked.pem
      openssl x509 -in chain.pem -outform der -out chain.der
      head -c 200 chain.pem > cut.pem
      mkdir folder
      """)
    for (files, reason) in [
      (["chain.pem", "other.pem"], "the key in other.pem does not belong to"),
      (["old.pem", "key.pem"], "has expired yesterday"),
      (["key.pem", "key.pem"], "there is no certificate in key.pem"),
      (["none.pem", "key.pem"], "the certificate cannot be read"),
      (["folder", "key.pem"], "folder is a folder"),
      (["chain.der", "key.pem"], "there is no certificate in chain.der"),
      (["cut.pem", "key.pem"], "there is no certificate in cut.pem"),
      (["chain.pem", "locked.pem"], "the key in locked.pem has a passphrase"),
      (["chain.pem", "chain.pem"], "there is no key in chain.pem"),
    ] {
      let outcome = try Program.run(
        ["serve", "app.lua", "--certificate", files[0], "--key", files[1]], in: folder)
      #expect(outcome.status == .exited(69))
      #expect(outcome.errors.contains("E0433"))
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    }
  }

  @Test(.enabled(if: access("/usr/bin/openssl", X_OK) == 0, "openssl is missing"))
  func `a certificate for another host is told of, and serves`() throws {
    try makeCertificate(for: "DNS:app.example.org")
    let (program, url) = try start("--certificate", "chain.pem", "--key", "key.pem")
    #expect(try request(url).hasPrefix("HTTP/1.1 303"))
    program.send(SIGTERM)
    let errors = program.finish().errors
    #expect(errors.contains("warning[W0433]"), "\(errors)")
    #expect(errors.contains("is for app.example.org, not for 127.0.0.1"), "\(errors)")
  }

  private func makeCertificate(for name: String = "DNS:localhost") throws {
    _ = try shell(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \
      -subj /CN=localhost -addext subjectAltName=\(name) -keyout key.pem -out chain.pem
      """)
  }

  /// Runs the program by a shell, which first does something else.
  private func runLimited(_ command: String, _ arguments: String) throws -> Program.Outcome {
    try Program(
      executable: ["/bin/sh", "-c", "\(command) \(Program.path) serve app.lua \(arguments)"],
      in: folder, output: .captured
    ).finish()
  }

  private static let nobody = "exec setpriv --reuid 65534 --regid 65534 --clear-groups"

  @Test(
    .enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0, "needs root and setpriv"))
  func `who may not listen at a port or read a key is told so`() throws {
    chmod(folder.path, 0o755)
    try makeCertificate()
    chmod(folder.path + "/key.pem", 0o600)
    let outcome = try runLimited(Self.nobody, "--certificate chain.pem --key key.pem")
    #expect(outcome.status == .exited(69))
    #expect(outcome.errors.contains("cannot open key.pem: Permission denied"), "\(outcome)")
    // Where the kernel lets everybody listen there is nothing to refuse.
    guard Self.firstOpenPort > 81 else { return }
    let other = try runLimited(Self.nobody, "--port 81")
    #expect(other.status == .exited(69))
    #expect(other.errors.contains("81: Permission denied; ports below 1024"), "\(other)")
  }

  private static var firstOpenPort: Int {
    guard let file = fopen("/proc/sys/net/ipv4/ip_unprivileged_port_start", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 16)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    return Int(strtol(line, nil, 10))
  }

  @Test func `viewers for which there are no sockets are told of, with what to do`() throws {
    let outcome = try runLimited("ulimit -n 200; exec", "--limit viewers=1000")
    #expect(outcome.status == .exited(69))
    #expect(outcome.errors.contains("the system allows 200: raise that (ulimit -n"), "\(outcome)")
  }

  @Test func `two servers on one port are told apart, and the first goes on`() throws {
    let (program, url) = try start()
    let port = url.split(separator: ":").last.map { $0.prefix { $0.isNumber } } ?? ""
    let outcome = try Program.run(["serve", "app.lua", "--port", "\(port)"], in: try copy())
    #expect(outcome.status == .exited(69))
    #expect(outcome.errors.contains("choose another port"))
    #expect(try request(url).hasPrefix("HTTP/1.1 303"))
    program.send(SIGTERM)
    _ = program.finish()
  }

  private func copy() throws -> ScratchFolder {
    let other = try ScratchFolder()
    other.write("show(view.label { text = 'x' })", to: "app.lua")
    return other
  }

  @Test(arguments: [
    (["--listen", "0.0.0.0"], "--certificate and --key, or add --insecure"),
    (["--certificate", "a"], "--certificate and --key are given together"),
    (["--port", "70000"], "--port is 1 to 65535"),
    (["--limit", "viewer=3"], "did you mean \"viewers\""),
    (["--sessions", "own"], "shared"), (["--inspect", "--no-watch"], "leave out --no-watch"),
    (["--inspect", "--sessions", "private", "--workers"], "leave one of them out"),
    (["--trust-from", "10.0.0.7"], "--trust-from says whose --trust-header counts"),
  ])
  func `a mistake in its flags is named`(arguments: [String], reason: String) throws {
    let outcome = try Program.run(["serve", "app.lua"] + arguments, in: folder)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
  }

  @Test(arguments: [
    ([String](), true), (["--listen", "0.0.0.0", "--insecure"], false),
    (["--listen", "0.0.0.0", "--insecure", "--inspect"], true),
    (["--behind", "https://app.example.org"], false),
    (["--behind", "https://app.example.org", "--inspect"], true), (["--no-watch"], false),
    (["--sessions", "private"], true), (["--sessions", "private", "--workers"], false),
    (["--sessions", "private", "--no-watch"], false),
  ])
  func `the inspector has an address of its own, where it is served`(
    arguments: [String], isServed: Bool
  ) throws {
    let program = try Program(["serve", "app.lua"] + arguments, in: folder)
    program.wait { $0.output.contains(isServed ? "/inspect?token=" : "?token=") }
    program.send(SIGTERM)
    let lines = program.finish().output.split(separator: "\n")
    #expect(lines.first?.contains("/?token=") == true)
    #expect(lines.contains { $0.contains("/inspect?token=") } == isServed)
  }

  @Test(arguments: [
    ([String](), "One screen for all", "--sessions private"),
    (["--no-watch"], "One screen for all", "--sessions private"),
    (["--sessions", "private"], "An app for each person or browser", "--sessions shared"),
  ])
  func `it says after the addresses which kind of sessions it has, and how to have the other`(
    arguments: [String], kind: String, flag: String
  ) throws {
    let program = try Program(["serve", "app.lua"] + arguments, in: folder)
    program.wait { $0.output.contains(flag + "\n") }
    program.send(SIGTERM)
    let lines = program.finish().output.split(separator: "\n")
    #expect(lines.first?.contains("/?token=") == true)
    #expect(lines.last?.hasPrefix(kind) == true && lines.last?.contains("common") == true)
  }

  @Test(arguments: [false, true])
  func `the address and the cookie are good after a restart`(isInStateFolder: Bool) throws {
    func run(port: Int, _ check: (WebAddress) throws -> Void) throws -> String {
      let program = try Program(
        ["serve", "app.lua", "--no-watch", "--port", "\(port)"]
          + (isInStateFolder ? [] : ["--token-file", "token"]),
        in: folder,
        environment: isInStateFolder ? ["XDG_STATE_HOME": folder.path + "/state"] : [:])
      program.wait { $0.output.contains("?token=") }
      let url = program.output.split(separator: "\n").first.map(String.init) ?? ""
      try check(WebAddress(url))
      program.send(SIGTERM)
      let outcome = program.finish()
      #expect(outcome.status == .signalled(SIGTERM), "\(outcome)")
      return url
    }
    // One that is free, and stays so as far as one can tell.
    let (probe, url) = try start()
    let port = try #require(Int(url.split(separator: ":")[2].prefix { $0.isNumber }))
    probe.send(SIGTERM)
    _ = probe.finish()
    var cookie = ""
    let first = try run(port: port) { cookie = $0.cookie }
    let second = try run(port: port) { address in
      let client = try RawClient(port: port)
      client.send(address.get("/", cookie: false, ["Cookie: \(cookie)"]))
      #expect(client.head().hasPrefix("HTTP/1.1 200"))
    }
    #expect(first == second)
  }

  @Test func `a token file that others may read is refused`() throws {
    folder.write("0123456789abcdef", to: "token")
    chmod(folder.path + "/token", 0o644)
    let outcome = try Program.run(["serve", "app.lua", "--token-file", "token"], in: folder)
    #expect(outcome.status == .exited(69))
    #expect(outcome.errors.contains("E0433") && outcome.errors.contains("chmod 600 token"))
  }

  @Test(arguments: ["read", "write", "store"])
  func `a token file in a folder of scripts is refused before it is made`(right: String) throws {
    folder.makeFolder("data")
    let outcome = try Program.run(
      ["serve", "app.lua", "--allow", "\(right)=data", "--token-file", "data/token"], in: folder)
    #expect(outcome.status == .exited(69))
    #expect(outcome.errors.contains("E0433") && outcome.errors.contains("lies in data"))
    #expect(folder.entries(of: "data").isEmpty)
  }

  @Test func `the inspector looks into the private session of a page`() throws {
    let program = try Program(["serve", "app.lua", "--sessions", "private"], in: folder)
    program.wait { $0.output.contains("/inspect?token=") && $0.output.hasSuffix("\n") }
    let urls = program.output.split(separator: "\n").prefix(2).map(String.init)
    let inspector = try PageReader(urls[1], at: "/inspect/ws")
    inspector.wait(for: "open the app's address")
    let page = try PageReader(urls[0])
    page.wait(for: "apple")
    inspector.wait(for: "app, session 1")
    inspector.wait(for: "Models")
    program.send(SIGTERM)
    #expect(program.finish().status == .signalled(SIGTERM))
  }

  @Test func `whom a proxy names is let in, and nobody else`() throws {
    let (program, url) = try start("--no-watch", "--trust-header", "X-User")
    #expect(url.hasSuffix("/") && !url.contains("token"))
    let address = WebAddress(url)
    for (lines, status) in [(["X-User: ann"], "200"), ([], "403")] {
      let client = try RawClient(port: address.port)
      client.send(address.get("/", cookie: false, lines))
      #expect(client.head().hasPrefix("HTTP/1.1 \(status)"))
    }
    program.send(SIGTERM)
    #expect(program.finish().status == .signalled(SIGTERM))
  }

  @Test func `bounds of serving are for serving`() throws {
    let outcome = try Program.run(["run", "app.lua", "--limit", "viewers=3"], in: folder)
    #expect(outcome.status == .exited(64))
    #expect(outcome.errors.contains("--limit viewers is for tidelock serve"))
  }

  @Test func `a browser is started with an address that lets it in once`() throws {
    folder.write("#!/bin/sh\nprintf '%s\\n' \"$1\" >> \(folder.path)/opened\n", to: "browser")
    chmod(folder.path + "/browser", 0o755)
    let program = try Program(
      ["serve", "app.lua", "--open"], in: folder,
      environment: ["BROWSER": folder.path + "/browser"])
    program.wait { _ in folder.read("opened").contains("\n") }
    let address = folder.read("opened").split(separator: "\n").first.map(String.init) ?? ""
    let printed = program.output.split(separator: "\n").first.map(String.init) ?? ""
    #expect(address.contains("?token=") && address != printed)
    #expect(try request(address).hasPrefix("HTTP/1.1 303"))
    #expect(try request(address).hasPrefix("HTTP/1.1 403"))
    #expect(try request(printed).hasPrefix("HTTP/1.1 303"))
    program.send(SIGTERM)
    #expect(program.finish().status == .signalled(SIGTERM))
  }

  @Test func `a file that is not there and a broken one are told at the start`() throws {
    for arguments in [[], ["--sessions", "private"]] {
      let outcome = try Program.run(["serve", "none.lua"] + arguments, in: folder)
      #expect(outcome.status == .exited(66), "\(outcome)")
    }
    folder.write("show(", to: "app.lua")
    let outcome = try Program.run(["serve", "app.lua", "--no-watch"], in: folder)
    #expect(outcome.status == .exited(65))
  }
}
