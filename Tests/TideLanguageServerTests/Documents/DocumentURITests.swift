import TideLanguageServer
import Testing

@Suite struct `URIs of documents` {
  @Test(arguments: [
    ("file:///home/ada/app.lua", "/home/ada/app.lua"),
    ("file:///a%20b/%C3%A4.lua", "/a b/ä.lua"),
    ("file:///ä/😀.lua", "/ä/😀.lua"),
    ("file://localhost/app.lua", "/app.lua"),
    ("FILE://LocalHost/app.lua", "/app.lua"),
    ("file:/app.lua", "/app.lua"),
    ("file:///a//b/./c/../app.lua", "/a/b/app.lua"),
    ("file:///c%3A/app%25.lua", "/c:/app%.lua"),
    ("file:///../../app.lua", "/app.lua"),
  ])
  func `a file's URI names its path`(uri: String, path: String) {
    #expect(DocumentURI.path(of: uri) == path)
  }

  @Test(arguments: [
    "untitled:Untitled-1", "file://server/share/app.lua", "file:///a%2", "file:///a%zz",
    "file:///%ff", "file:///a%00b", "app.lua", "", "file:", "file://", "http://localhost/app.lua",
  ])
  func `a URI that names no file of this machine has no path`(uri: String) {
    #expect(DocumentURI.path(of: uri) == nil)
  }

  @Test(arguments: ["/app.lua", "/a b/ä 😀/100%.lua", "/a#b?c.lua", "/\u{1}\"<>.lua"])
  func `a path comes back from its URI`(path: String) {
    let uri = DocumentURI.of(path: path)
    #expect(DocumentURI.path(of: uri) == path)
    #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x23 && $0 != 0x3f })
  }

  @Test(arguments: [
    ("untitled:Untitled-1", "Untitled-1"), ("untitled:/tmp/new.lua", "new.lua"),
    ("git:/home/ada/app.lua?%7B%7D", "app.lua"), ("untitled:", "untitled"), ("x:..", "untitled"),
    ("untitled:a%20b", "a b"),
  ])
  func `other documents are named by what follows the scheme`(uri: String, name: String) {
    #expect(DocumentURI.name(of: uri) == name)
  }
}
