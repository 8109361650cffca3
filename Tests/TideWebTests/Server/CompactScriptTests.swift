import Testing

@testable import TideWeb

@Suite struct CompactScriptTests {
  @Test(arguments: [
    ("const one = f(2, \"a, b\");\n", "const one=f(2,\"a, b\");"),
    ("  // why\nlet a\n", "let a\n"),
    ("x = `a ${b} = c`;\n", "x=`a ${b} = c`;"),
    ("x = \"a\\\" = b\" + c;\n", "x=\"a\\\" = b\" + c;"),
    ("if (a) {\n  b();\n}\nc()\nd()\n", "if(a){b();}\nc()\nd()\n"),
    ("a = b + +c - d / e;\n", "a=b + +c - d / e;"),
    ("return [a, 'b, c'];\n", "return [a,'b, c'];"),
  ])
  func `white space and comments go, and texts stay`(script: String, compact: String) {
    #expect(CompactScript(script).text == compact)
  }

  @Test func `a compact script is as compact as it can be`() throws {
    let script = "for (const each of list) {\n  if (each.a && !each.b) go(each, { c: 1 });\n}\n"
    let compact = CompactScript(script).text
    #expect(CompactScript(compact).text == compact)
  }
}
