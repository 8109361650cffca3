import Testing

@testable import TideScript

struct CulpritFinderTests {
  @Test(arguments: [
    ("print(fruit.name)", "attempt to index a nil value (global 'fruit')", "fruit.name)"),
    ("local b = ab.a + a", "attempt to perform arithmetic on a nil value (local 'a')", "a + a"),
    ("fruit.colr = 1", "fruit has no property \"colr\"; did you mean \"color\"?", "colr = 1"),
    ("local 7 = x", "<name> expected near '7'", "7 = x"),
    ("x = (1", "')' expected (to close '(' at line 1) near <eof>", ""),
    ("x = = 2", "unexpected symbol near '='", "= = 2"),
    ("  if ok then error('rotten') end", "rotten", "error('rotten') end"),
    ("local v = assert(load(s))", "no text", "assert(load(s))"),
    ("   plain(line)", "something else", "plain(line)"),
    ("", "something else", ""),
    ("bind 'x'", "quote ' that does not end", "bind 'x'"),
    ("x = ''", "near ''", "x = ''"),
  ])
  func `the word that the message names`(line: String, message: String, rest: String) {
    let bytes = Array(line.utf8)
    let offset = CulpritFinder.offset(in: bytes, of: message)
    #expect(String(decoding: bytes[offset...], as: UTF8.self) == rest)
  }
}
