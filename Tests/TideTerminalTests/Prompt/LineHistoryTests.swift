import Testing

@testable import TideTerminal

@Suite struct LineHistoryTests {
  @Test func `keeps so many entries, and so much of them`() {
    var history = LineHistory()
    for number in 1...6000 { history.add("\(number)") }
    #expect(history.entries.count == 5000 && history.entries.first == "1001")
    for number in 1...20 { history.add("\(number)" + String(repeating: "x", count: 1 << 20)) }
    #expect(history.entries.count == 7)
    #expect(history.previous("")?.hasPrefix("20x") == true)
    #expect(LineHistory(history.entries + history.entries).entries.count == 7)
  }
}
