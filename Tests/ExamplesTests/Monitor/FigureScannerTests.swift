import Testing

@testable import Monitor

@Suite struct FigureScannerTests {
  @Test func `fields are read one by one, and lines are left only when asked`() {
    var scanner = FigureScanner("cpu  12 -3 0.25 rest of it\nnext 7")
    #expect(scanner.isAt("cpu"))
    #expect(scanner.word() == "cpu")
    #expect(scanner.integer() == 12)
    #expect(scanner.integer() == -3)
    #expect(scanner.number() == 0.25)
    #expect(scanner.restOfLine() == "rest of it")
    scanner.skip(9)
    #expect(scanner.word() == nil)
    let isNext = scanner.nextLine()
    #expect(isNext)
    #expect(scanner.word() == "next")
    #expect(scanner.integer() == 7)
    let isMore = scanner.nextLine()
    #expect(!isMore)
    #expect(scanner.integer() == nil)
  }

  @Test func `what is no number is left where it is`() {
    var scanner = FigureScanner("lots 5")
    #expect(scanner.integer() == nil)
    #expect(scanner.number() == nil)
    #expect(scanner.word() == "lots")
    #expect(scanner.number() == 5)
  }

  @Test func `a delimiter ends a word and is passed over`() {
    var scanner = FigureScanner("eth0:123 MemTotal:  7 kB")
    #expect(scanner.word(endingAt: ":") == "eth0")
    #expect(scanner.integer() == 123)
    #expect(scanner.word(endingAt: ":") == "MemTotal")
    #expect(scanner.integer() == 7)
  }

  @Test func `numbers beyond all bounds are cut`() {
    var scanner = FigureScanner("18446744073709551615 99999999999999999999999999.5")
    let most = scanner.integer() ?? 0
    #expect(most > 1 << 57)
    #expect(!most.multipliedReportingOverflow(by: 8).overflow)
    let number = scanner.number() ?? 0
    #expect(number > 1e17)
  }

  @Test func `an empty text has nothing`() {
    var scanner = FigureScanner("")
    #expect(scanner.word() == nil)
    #expect(scanner.integer() == nil)
    #expect(!scanner.isAt("cpu"))
    let isMore = scanner.nextLine()
    #expect(!isMore)
    #expect(scanner.restOfLine() == "")
  }
}
