import Testing

@testable import TideLua

struct NetworkAccessTests {
  private func access(_ hosts: String...) throws -> LuaAccess {
    var access = LuaAccess()
    access.network = try hosts.map { host in try LuaAccess.Host(host) }
    return access
  }

  @Test(arguments: [
    ("Example.COM", "example.com"), ("example.com.:443", "example.com:443"),
    ("*.example.com", "*.example.com"), ("*.example.com:1", "*.example.com:1"),
    ("[0:0::1]:8080", "[::1]:8080"), ("[::1]", "[::1]"), ("127.0.0.1:80", "127.0.0.1:80"),
    ("[::ffff:10.0.0.1]", "10.0.0.1"), ("a_b-c", "a_b-c"),
  ])
  func `a host is written one way`(text: String, usual: String) throws {
    #expect(try LuaAccess.Host(text).description == usual)
  }

  @Test(arguments: [
    ("", "write a name"), ("https://a.example", "write the host alone"), ("a/b", "the host alone"),
    ("::1", "[::1]:8080"), ("a:", "from 1 to 65535"), ("a:0", "from 1 to 65535"),
    ("a:65536", "65535"), ("a:99999999999999999999", "65535"), ("a:+1", "65535"), ("a:*", "out"),
    ("*", "a star"), ("a.*", "a star"), ("*.*.a", "a star"), ("a*.b", "a star"), ("*a", "a star"),
    ("*.", "write a name"), ("*.127.0.0.1", "write a name"), ("[::g]", "write a name"),
    ("[1.2.3.4]", "write a name"), ("a..b", "write a name"), (".a", "write a name"),
    ("bücher.example", "write a name"), ("a b", "write a name"), ("[::1", "write a name"),
    ("a@b", "write a name"), (String(repeating: "a", count: 300), "write a name"),
  ])
  func `what names no host is refused`(text: String, reason: String) {
    let error = #expect(throws: LuaError.self) { try LuaAccess.Host(text) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test func `a name covers itself, and with a star those below`() throws {
    let some = try access("one.example", "*.two.example:443", "[::1]:80", "10.0.0.1")
    #expect(some.permits(host: "one.example", port: 1))
    #expect(some.permits(host: "ONE.example.", port: 65535))
    #expect(!some.permits(host: "www.one.example", port: 443))
    #expect(!some.permits(host: "onexexample", port: 443))
    #expect(some.permits(host: "a.b.two.example", port: 443))
    #expect(!some.permits(host: "a.two.example", port: 80))
    #expect(!some.permits(host: "two.example", port: 443))
    #expect(!some.permits(host: "atwo.example", port: 443))
    #expect(some.permits(host: "0:0:0:0:0:0:0:1", port: 80))
    #expect(!some.permits(host: "::1", port: 81))
    #expect(some.permits(host: "10.0.0.1", port: 9))
    #expect(!some.permits(host: "", port: 443) && !some.permits(host: "*.two.example", port: 443))
    #expect(!LuaAccess().permits(host: "one.example", port: 443))
  }

  @Test(arguments: [
    ("public.example", "8.8.8.8", true), ("public.example", "10.0.0.1", true),
    ("public.example", "127.0.0.1", false), ("public.example", "::1", false),
    ("public.example", "::ffff:127.0.0.1", false), ("public.example", "169.254.169.254", false),
    ("public.example", "fe80::1", false), ("public.example", "0.0.0.0", false),
    ("public.example", "", false), ("localhost", "127.0.0.1", true), ("LOCALHOST.", "::1", true),
    ("localhost.example", "127.0.0.1", false), ("127.0.0.1", "127.0.0.1", true),
    ("::1", "0:0:0:0:0:0:0:1", true), ("127.0.0.1", "127.0.0.2", false),
  ])
  func `no name leads to this machine but its own`(host: String, address: String, may: Bool) {
    #expect(LuaAccess.mayLead(host, to: address) == may)
  }

  @Test func `a refusal says what would allow it`() throws {
    var some = try access("one.example")
    #expect(some.refusal(host: "one.example", port: 443) == nil)
    #expect(
      some.refusal(host: "::1", port: 80)
        == "connecting to \"[::1]:80\" is not allowed; the host can allow net=[::1]:80")
    some.namesFlags = true
    #expect(
      some.refusal(host: "two.example", port: 443)
        == "connecting to \"two.example:443\" is not allowed; run with --allow net=two.example:443")
    #expect(some.refusal(host: "one.example", address: "8.8.8.8", port: 443) == nil)
    let local = some.refusal(host: "one.example", address: "127.0.0.1", port: 443)
    #expect(local?.hasSuffix("run with --allow net=127.0.0.1:443") == true)
    #expect(some.refusal(host: "two.example", address: "8.8.8.8", port: 443) != nil)
  }

  @Test func `ports are known where every host names one`() throws {
    #expect(try access("a:1", "b:2", "c:1").onlyPorts == [1, 2])
    #expect(try access("a:1", "b").onlyPorts == nil)
    #expect(LuaAccess().onlyPorts == [])
  }

  @Test func `a program is allowed by its name, or all are`() {
    var some = LuaAccess()
    some.programs = ["git"]
    #expect(some.permits(program: "git") && !some.permits(program: "ls"))
    some.run = true
    #expect(some.permits(program: "ls"))
  }
}
