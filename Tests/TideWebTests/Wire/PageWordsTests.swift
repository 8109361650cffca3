import CTideWeb
import Testing

@testable import TideWeb

@Suite struct PageWordsTests {
  private var script: String {
    let script = tide_web_script()
    let bytes = UnsafeRawBufferPointer(start: script.bytes, count: script.count)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `the page's script says all of them and knows all limits, and no others`() {
    let said = Set(script.matches(of: /terms\.(\w+)/).map { String($0.output.1) })
    let limits = PageLimits.wireMembers.map(\.name)
    #expect(said == Set(PageWords.wireMembers { text, _ in text }.map(\.name) + limits))
  }

  @Test func `the shortened script calls all of them by their names`() {
    let words = PageWords.wireMembers { text, _ in text }
    let sent = (words + PageLimits.wireMembers).map(\.name)
    #expect(ScriptNames.own.isDisjoint(with: sent))
  }

  @Test func `a page is told of them in the language of the app`() throws {
    let words = PageWords.wireMembers { text, number in "\(number) \(text)" }
    #expect(words.first { $0.name == "hide" }?.json == "\"\(PageLimits.message) Hide\"")
  }

  @Test func `a reason to close fits into its frame`() {
    for refusal in PageRefusal.allCases { #expect(refusal.reason.utf8.count <= 123) }
  }
}
