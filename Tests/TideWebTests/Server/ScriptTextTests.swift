import CTideWeb
import Testing

@testable import TideWeb

@Suite struct ScriptTextTests {
  private func compact(_ script: String) -> String {
    String(decoding: ScriptText.compact(Array(script.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    ("// Adds.\nlet sum = a + b;\n", "let e=a+b;\n"),
    ("if (a) {\n  b = c;\n} else return d;\n", "if(a){b=c}else return d;\n"),
    ("const f = () =>\n  1\nconst g = 2\n", "let f=()=>1\nlet g=2\n"),
    ("if (a) {\n  b();\n}\nc();\n", "if(a){b()}c();\n"),
    ("for (;;) {\n  b(\";\");\n}\n", "for(;;){b(\";\")}\n"),
    ("a = b + +c - -d - e\n", "a=b+ +c- -d-e\n"),
    ("call(\n  a,\n  b)\n  .then(c)\n", "call(a,b).then(c)\n"),
    ("a = {\n  b: [c,\n  ],\n};\n", "a={b:[c]};\n"),
    ("const ünique = new Ünique;\n", "let e=new Ünique;\n"),
    ("say(`a  ${b  + \"c  d\"} = d`);\n", "say(`a  ${b+\"c  d\"} = d`);\n"),
  ])
  func `what separates nothing goes`(script: String, compacted: String) {
    #expect(compact(script) == compacted)
  }

  @Test(arguments: [
    #"say("a  =  b // c");"#, #"say('it\'s  = so');"#, "say(`a  ${b} = d`);",
    #"f(/[/ "]  =  x/);"#, #"return a.test(/ \/ = /)"#, #"a="\\";b=" = ";"#,
  ])
  func `texts and regular expressions stay as they are`(script: String) {
    #expect(compact(script) == script + "\n")
  }

  @Test func `the page's script has no comments and nothing that goes over several lines`() {
    let script = tide_web_script()
    let bytes = Array(UnsafeRawBufferPointer(start: script.bytes, count: script.count))
    let compacted = ScriptText.compact(bytes)
    #expect(compacted.count * 10 < bytes.count * 8)
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let code = line.drop { $0 == " " }
      if code.hasPrefix("//") { continue }
      #expect(code.count { $0 == "`" } % 2 == 0, "\(line)")
    }
    // It is compact already, so doing it again changes nothing.
    #expect(ScriptText.compact(compacted) == compacted)
  }
}
