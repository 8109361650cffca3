import Fuzzing
import Glibc
import TideBindings
import TideScript

/// Many owners of graphs, one after the other and side by side.
enum Owners {
  actor Owner {
    private let person = Person("served", 0)
    private let context = BindingContext()
    private let label = Label()
    private var runtime: Runtime?

    func bind() throws { try context.bind(person, \.name, to: label, \.text) }

    func begin() throws {
      let made = try Runtime(file: "owner.lua")
      try made.register("person", person)
      _ = try made.evaluate(
        "(function() observe(models.person, 'age', function(new) seen = new end) end)()",
        as: Bool?.self)
      runtime = made
    }

    func write(_ age: Int, _ report: Report) throws {
      person.name = "p\(age)"
      person.age = age
      report.expect(label.text.isEmpty || label.text == "p\(age)", "the label shows \(label.text)")
      if let seen = try runtime?.evaluate("seen", as: Int.self) {
        report.expect(seen == age, "a script saw \(seen), not \(age)")
      }
    }

    func end() { runtime?.end() }
  }

  /// What the process holds at the moment.
  private struct Held {
    /// Kilobytes.
    let memory: Int
    let descriptors: Int

    init() {
      var pages = 0
      if let file = fopen("/proc/self/statm", "re") {
        var line = [CChar](repeating: 0, count: 200)
        if fgets(&line, Int32(line.count), file) != nil {
          let numbers = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ")
          pages = numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0
        }
        fclose(file)
      }
      memory = pages * Int(sysconf(Int32(_SC_PAGESIZE))) >> 10
      var count = 0
      if let folder = opendir("/proc/self/fd") {
        while readdir(folder) != nil { count += 1 }
        closedir(folder)
      }
      descriptors = count
    }
  }

  /// One actor after the other, most of them with a runtime: memory and descriptors stay flat.
  static func cycle(_ count: Int, seed: UInt64, _ report: Report) async throws {
    print("seed \(seed), \(count) cycles")
    var random = SeededGenerator(seed: seed)
    var early: Held?
    var kept: [Owner] = []
    for number in 0..<count {
      let owner = Owner()
      if Int.random(in: 0..<2, using: &random) == 0 { try await owner.bind() }
      if Int.random(in: 0..<4, using: &random) > 0 { try await owner.begin() }
      try await owner.write(number + 1, report)
      if Int.random(in: 0..<2, using: &random) == 0 { await owner.end() }
      // A few live on for a while.
      kept.append(owner)
      if kept.count > 8 { kept.remove(at: Int.random(in: 0..<kept.count, using: &random)) }
      if number == count / 4 { early = Held() }
    }
    kept = []
    guard let early else { return }
    let late = Held()
    print("\(late.memory >> 10) MiB, \(late.descriptors) descriptors")
    report.expect(
      // The address sanitizer keeps what was freed for a while.
      getenv("TIDELOCK_SANITIZER") != nil || late.memory < early.memory * 3 / 2 + 32 << 10,
      "memory grew from \(early.memory) KiB to \(late.memory) KiB")
    report.expect(
      late.descriptors <= early.descriptors,
      "descriptors grew from \(early.descriptors) to \(late.descriptors)")
  }

  /// Many side by side, all of which still work.
  static func live(_ count: Int, _ report: Report) async throws {
    var owners: [Owner] = []
    do {
      for _ in 0..<count {
        let owner = Owner()
        try await owner.bind()
        try await owner.begin()
        owners.append(owner)
      }
    } catch let error as TideError {
      print("after \(owners.count): \(error)")
      report.expect(error.code == .limit, "\(error)")
    }
    for (number, owner) in owners.enumerated() { try await owner.write(number + 1, report) }
    let held = Held()
    print("\(owners.count) live, \(held.memory >> 10) MiB, \(held.descriptors) descriptors")
    report.expect(held.memory < 4 << 20, "they take \(held.memory >> 10) MiB")
    for owner in owners { await owner.end() }
  }
}
