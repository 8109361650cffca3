import Testing

@testable import TideWeb

@Suite struct ScriptNamesTests {
  private func shortened(_ script: String) -> String {
    String(decoding: ScriptNames(Array(script.utf8)).shortened, as: UTF8.self)
  }

  @Test(arguments: [
    ("const total=1;add(total+total)", "const A=1;add(A+A)"),
    ("function total(){return total()}let other=A", "function B(){return B()}let C=A"),
    ("for(const each of all)go(...each)", "for(const A of all)go(...A)"),
  ])
  func `what the script declares has a short name`(script: String, short: String) {
    #expect(shortened(script) == short)
  }

  @Test(arguments: [
    "const total=1;a.total=2", "const total=1;a={total:2}", "const total=1;a={total}",
    "const total=1;const{b,total,c}=a", "const total=1;a={b,total(){}}",
    "const total=1;say(`${total}`)", "total=1;say(total)", "const a=1,ab=2",
  ])
  func `what may be the name of something else stays`(script: String) {
    #expect(shortened(script) == script)
  }

  @Test func `texts and regular expressions stay`() {
    let script = #"const total=1;say("total",/total[/"]total/,'total')"#
    #expect(shortened(script) == script.replacing("const total", with: "const A"))
  }
}
