import Testing
import Tidelock

@testable import Monitor

@Suite struct MachineTests {
  private let machine = Machine(units: MachineUnits())

  private func process(
    _ pid: Int, _ name: String = "sh", ticks: Int = 0, started: Int = 1
  ) -> ProcessFigures {
    ProcessFigures(
      pid: pid, name: name, state: "S", parent: 1, isKernelThread: false, ticks: ticks,
      threads: 1, started: started, residentPages: 2, user: "ada", command: name)
  }

  private func take(_ seconds: Double, _ processes: [ProcessFigures]) {
    var sample = Sample()
    sample.uptime = seconds
    sample.processes = processes
    machine.take(sample)
  }

  @Test func `a process keeps its object as long as it runs`() throws {
    take(1, [process(7), process(8)])
    let first = try #require(machine.processes[0])
    take(2, [process(7, "ls"), process(8)])
    #expect(machine.processes[0] === first)
    #expect(first.name == "ls")
    take(3, [process(7, started: 250), process(8)])
    #expect(machine.processes[0] !== first)
  }

  @Test func `the list is edited only where processes came and went`() {
    take(1, [process(7), process(8), process(9)])
    var changes: [ListChange] = []
    let context = BindingContext("test")
    let observation = context.observe(machine.processes) { changes.append($0) }
    defer { observation.cancel() }
    take(2, [process(7, ticks: 50), process(8, ticks: 1), process(9)])
    #expect(changes.isEmpty)
    take(3, [process(7), process(9), process(12)])
    #expect(changes.map(\.kind) == [.removal, .insertion])
    #expect(changes.map(\.indexes) == [[1], [2]])
  }

  @Test func `a process's share is of the time between two samples`() {
    take(10, [process(7, ticks: 1000)])
    #expect(machine.processes[0]?.cpu == 0)
    take(12, [process(7, ticks: 1100), process(8, ticks: 20)])
    #expect(machine.processes[0]?.cpu == 0.5)
    #expect(machine.processes[0]?.time == 11)
    #expect(machine.processes[1]?.cpu == 0.1)
    #expect(machine.processes[1]?.memory == 8192)
    take(12, [process(7, ticks: 1200)])
    #expect(machine.processes[0]?.cpu == 0)
  }

  @Test func `what stays as it was is no change`() throws {
    take(1, [process(7, ticks: 3)])
    take(2, [process(7, ticks: 3)])
    var changes = 0
    let row = try #require(machine.processes[0])
    let context = BindingContext("test")
    let observations = [
      try context.observe(row, \.name) { _, _ in changes += 1 },
      try context.observe(row, \.memory) { _, _ in changes += 1 },
      try context.observe(row, \.cpu) { _, _ in changes += 1 },
    ]
    defer { for observation in observations { observation.cancel() } }
    take(3, [process(7, ticks: 3)])
    #expect(changes == 0)
    take(4, [process(7, ticks: 9)])
    #expect(changes == 1)
  }

  @Test func `processors come and go with the machine's`() {
    var sample = Sample()
    for count in [5, 3, 4, 0] {
      sample.processors = Array(repeating: ProcessorTimes(user: 1, idle: 1), count: count)
      machine.take(sample)
      #expect(machine.cores.count == max(0, count - 1))
    }
  }

  @Test func `a history holds no more than a chart can show`() {
    for second in 0..<300 { take(Double(second), []) }
    #expect(machine.memory.history.count == 240)
    #expect(machine.load.history.count == 240)
  }
}
