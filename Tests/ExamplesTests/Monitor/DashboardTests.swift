import Foundation
import Testing
import TideBindings
import TideTerminal
import TideViews
import Tidelock

@testable import Monitor

@Suite struct DashboardTests {
  private let dashboard: Dashboard
  private let scene: Scene

  init() throws {
    dashboard = try Dashboard(app: Recordings.app, source: .recorded(in: Recordings.path))
    try dashboard.runtime.load()
    scene = try #require(dashboard.runtime.scene)
    scene.resize(Size(width: 80, height: 24))
    dashboard.stepToEnd()
  }

  private var rows: [RunningProcess] {
    guard let table = scene.window.find("processes"),
      case .object(let rows as any ListObject) = table[.items]
    else { return [] }
    return rows.trackedElements.compactMap { RunningProcess.make(from: $0) }
  }

  private var selected: RunningProcess? {
    scene.window.find("processes").flatMap { RunningProcess.make(from: $0["selectedObject"]) }
  }

  @Test(arguments: [
    Size(width: 40, height: 12), Size(width: 80, height: 24), Size(width: 120, height: 40),
    Size(width: 200, height: 60),
  ])
  func `it looks as it did`(size: Size) throws {
    try expectPicture(dashboard.snapshot(size: size), "monitor-\(size.width)x\(size.height)")
    #expect(dashboard.runtime.errors.isEmpty)
  }

  @Test(arguments: [
    Size(width: 1, height: 1), Size(width: 20, height: 5), Size(width: 300, height: 100),
  ])
  func `it fits any terminal`(size: Size) {
    let lines = dashboard.snapshot(size: size).split(separator: "\n")
    #expect(lines.count <= size.height)
    #expect(lines.allSatisfy { $0.count <= size.width })
    #expect(dashboard.runtime.errors.isEmpty)
  }

  @Test func `keys sort the processes, and reverse the order when pressed again`() throws {
    let cpu = rows.map(\.cpu)
    #expect(cpu == cpu.sorted(by: >))
    try scene.send(keys: "c")
    #expect(rows.map(\.cpu) == cpu.sorted())
    try scene.send(keys: "m")
    let memory = rows.map(\.memory)
    #expect(memory == memory.sorted(by: >))
    try scene.send(keys: "m")
    #expect(rows.map(\.memory) == memory.sorted())
    try scene.send(keys: "p")
    let pids = rows.map(\.pid)
    #expect(pids == pids.sorted())
    try scene.send(keys: "p")
    #expect(rows.map(\.pid) == pids.sorted(by: >))
    try scene.send(keys: "n")
    let names = rows.map { $0.name.lowercased() }
    #expect(names == names.sorted())
    try expectPicture(dashboard.snapshot(size: scene.size), "monitor-by-name")
  }

  @Test func `a slash filters by what is typed, and Escape shows all again`() throws {
    let all = rows.count
    try scene.send(keys: "/ s w i f t")
    #expect(scene.focused === scene.window.find("filter"))
    #expect(rows.map(\.name) == ["swift-frontend", "swift-frontend", "swift-build"])
    try expectPicture(dashboard.snapshot(size: scene.size), "monitor-filtered")
    try scene.send(keys: "Enter m Down")
    #expect(scene.focused === scene.window.find("processes"))
    #expect(selected?.pid == 3071)
    try scene.send(keys: "Escape")
    #expect(rows.count == all)
    #expect(selected?.pid == 3071)
    try scene.send(keys: "/ z z z")
    #expect(rows.isEmpty)
    #expect(selected == nil)
    #expect(dashboard.runtime.errors.isEmpty)
  }

  @Test func `users, numbers and arguments are searched, in any case`() throws {
    func found(_ keys: String) throws -> [String] {
      try scene.send(keys: "Escape / " + keys)
      return Set(rows.map(\.name)).sorted()
    }
    #expect(try found("P O S T G") == ["postgres"])
    #expect(try found("1 4 1 1") == ["(sd-pam)"])
    #expect(try found("( a l l )") == ["lua(x) check"])
    #expect(try found("% d") == [])
  }

  @Test func `kernel threads are hidden and shown again`() throws {
    let all = rows.count
    try scene.send(keys: "k")
    #expect(rows.count == all - dashboard.machine.processes.filter(\.isKernelThread).count)
    #expect(rows.count < all)
    #expect(!rows.contains { $0.isKernelThread })
    try scene.send(keys: "k")
    #expect(rows.count == all)
  }

  @Test func `arrows select, and the selection stays with its process`() throws {
    try scene.send(keys: "m Down Down")
    let process = try #require(selected)
    #expect(rows[1] === process)
    try scene.send(keys: "p")
    #expect(selected === process)
    #expect(rows[1] !== process)
    try expectPicture(dashboard.snapshot(size: scene.size), "monitor-selected")
  }

  @Test func `a reload keeps what was chosen`() throws {
    try scene.send(keys: "m m Down")
    let process = try #require(selected)
    let order = rows.map(\.pid)
    try dashboard.runtime.reload()
    #expect(rows.map(\.pid) == order)
    #expect(selected === process)
    #expect(dashboard.runtime.errors.isEmpty)
  }

  @Test func `Enter tells more of a process, and Escape closes that`() throws {
    try scene.send(keys: "Down Down Enter")
    try expectPicture(dashboard.snapshot(size: scene.size), "monitor-details")
    try scene.send(keys: "Escape")
    #expect(try #require(scene.window.find("details"))["hidden"] == true)
    #expect(selected?.pid == 3088)
    try scene.send(keys: "Up")
    #expect(try #require(scene.window.find("details"))["hidden"] == true)
    #expect(dashboard.runtime.errors.isEmpty)
  }

  @Test func `a heading that is clicked sorts, and the keys go on from there`() throws {
    let line = dashboard.snapshot(size: scene.size).split(
      separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(line.firstIndex { $0.contains("Memory│") })
    let range = try #require(line[row].firstRange(of: "Memory│"))
    let column = line[row].distance(from: line[row].startIndex, to: range.lowerBound)
    for kind in [MouseEvent.Kind.press(.left), .release(.left)] {
      scene.send(.mouse(MouseEvent(kind, at: Point(x: column, y: row))))
    }
    let memory = rows.map(\.memory)
    #expect(memory == memory.sorted())
    try scene.send(keys: "m")
    #expect(rows.map(\.memory) == memory.sorted(by: >))
  }
}

@Suite struct `A cast of the monitor` {
  /// One sample a second, as it takes them; the recorded ones over and over.
  @Test func `has less than 20 MB after an hour`() throws {
    var encoder = CastEncoder()
    var samples = 0
    var bytes = 0
    let dashboard = try Dashboard(app: Recordings.app, source: .recorded(in: Recordings.path))
    try dashboard.runtime.load()
    let scene = try #require(dashboard.runtime.scene)
    scene.resize(Size(width: 120, height: 40))
    let renderer = ObservedRenderer(TextRenderer()) { changes in
      let areas = changes.isWhole ? nil : changes.areas
      bytes += encoder.lines(changes.frame, areas: areas, at: Double(samples)).utf8.count
    }
    try scene.mount(renderer)
    try scene.commit()
    let first = bytes
    while dashboard.step() {
      samples += 1
      dashboard.runtime.settle()
      try scene.commit()
    }
    #expect(samples > 10)
    #expect(first + (bytes - first) / samples * 3600 < 20_000_000, "\(bytes) in \(samples)")
  }
}
