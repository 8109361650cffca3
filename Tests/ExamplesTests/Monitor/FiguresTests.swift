import Testing

@testable import Monitor

@Suite struct FiguresTests {
  @Test func `processors are read, all together first`() {
    let text = """
      cpu  100 20 30 400 5 6 7 8 9 10
      cpu0 50 10 15 200 2 3 4 5 0 0
      intr 12 0 0
      ctxt 99
      """
    let times = ProcessorTimes.parse(Array(text.utf8))
    #expect(
      times == [
        ProcessorTimes(user: 120, system: 43, wait: 5, steal: 8, idle: 400),
        ProcessorTimes(user: 60, system: 22, wait: 2, steal: 5, idle: 200),
      ])
    #expect(ProcessorTimes.parse([]).isEmpty)
    #expect(ProcessorTimes.parse(Array("cpu".utf8)) == [ProcessorTimes()])
  }

  @Test func `shares come from the time between two readings`() {
    let before = ProcessorTimes(user: 100, system: 50, wait: 10, idle: 1000)
    let after = ProcessorTimes(user: 130, system: 60, wait: 20, idle: 1050)
    let shares = after.shares(since: before)
    #expect(shares == ProcessorShares(user: 0.3, system: 0.1, wait: 0.1, steal: 0))
    #expect(shares.busy == 0.4)
    #expect(before.shares(since: before) == ProcessorShares())
  }

  @Test func `a counter that went back counts as standing still`() {
    let before = ProcessorTimes(user: 100, wait: 10, idle: 1000)
    let after = ProcessorTimes(user: 150, wait: 4, idle: 1050)
    #expect(after.shares(since: before) == ProcessorShares(user: 0.5))
  }

  @Test func `memory is read by name, whatever else there is`() {
    let text = """
      MemTotal:       1000 kB
      MemFree:         100 kB
      MemAvailable:    600 kB
      Cached:          300 kB
      SwapTotal:       200 kB
      SwapFree:        150 kB
      HugePages_Total:   0
      """
    let memory = MemoryFigures(parsing: Array(text.utf8))
    #expect(memory.total == 1_024_000)
    #expect(memory.used == 400 * 1024)
    #expect(memory.cached == 300 * 1024)
    #expect(memory.swapUsed == 50 * 1024)
    #expect(MemoryFigures(parsing: []) == MemoryFigures())
  }

  @Test func `load averages and tasks are read`() {
    let load = LoadAverages(parsing: Array("0.49 1.64 12.05 2/213 26798\n".utf8))
    #expect(load == LoadAverages(one: 0.49, five: 1.64, fifteen: 12.05, running: 2, tasks: 213))
    #expect(LoadAverages(parsing: []) == LoadAverages())
  }

  @Test func `interfaces that lead out are added up`() {
    let text = """
      Inter-|   Receive                |  Transmit
       face |bytes packets errs drop fifo frame compressed multicast|bytes packets errs drop
          lo: 9000 1 0 0 0 0 0 0 9000 1 0 0 0 0 0 0
        eth0: 1000 1 0 0 0 0 0 0  200 1 0 0 0 0 0 0
      wlan0:50 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0
      docker0: 500 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0
      """
    let counters = NetworkCounters(parsing: Array(text.utf8))
    #expect(counters == NetworkCounters(received: 1050, sent: 207))
    let rates = NetworkCounters(received: 3050, sent: 7).rates(since: counters, seconds: 2)
    #expect(rates == (1000, 0))
    #expect(counters.rates(since: counters, seconds: 0) == (0, 0))
  }

  @Test func `users are known by number, others shown by number`() {
    let text = """
      root:x:0:0:root:/root:/bin/sh
      ada::1000:1000::/home/ada:/bin/sh
      toor:x:0:0::/root:/bin/sh
      # a comment
      broken
      """
    let users = UserNames(parsing: Array(text.utf8))
    #expect(users[0] == "root")
    #expect(users[1000] == "ada")
    #expect(users[4711] == "4711")
  }
}
