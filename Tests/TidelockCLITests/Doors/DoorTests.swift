import AttackFiles
import Foundation
import Fuzzing
import OwnThread
import Testing

/// Every attack comes in at every door, alone and after another one: with the built program, and
/// within this process.
///
/// There are tens of thousands of combinations. A run of the suite tries each door once and some
/// pairs of attacks, as a seed says; `scripts/fuzz attacks` goes on from there, and
/// `scripts/fuzz attacks --case "timer loop-while"` tries one.
@Suite(.serialized) struct DoorTests {
  @Test func `there are doors, and each name is unique`() {
    #expect(Door.all.count > 100)
    #expect(Set(Door.all.map(\.name)).count == Door.all.count)
    #expect(Set(Attack.corpus.map(\.name)).count == Attack.corpus.count)
  }

  @Test func `former findings do no harm`() async throws {
    for (file, input) in FuzzRun.found(by: "attacks") {
      guard let assault = Assault(String(decoding: input, as: UTF8.self)) else { continue }
      if let fault = try await Self.fault(assault) { Issue.record("\(file): \(fault)") }
    }
  }

  @Test(.enabled(if: AssaultRun.single == nil), .timeLimit(.minutes(600)))
  func `no attack at any door harms the program`() async throws {
    try await search("attacks", among: \.isOfProgram) { try Self.programFault($0) }
  }

  @Test(.enabled(if: AssaultRun.single == nil), .timeLimit(.minutes(600)))
  func `no attack at any door harms the process of a runtime`() async throws {
    try await search("attacks-inside", among: \.isOfRuntime) { try Self.runtimeFault($0) }
  }

  @Test(.enabled(if: AssaultRun.single != nil))
  func `the case of the command line does no harm`() async throws {
    let assault = try #require(AssaultRun.single.flatMap { Assault($0) }, "no such door or attack")
    if let fault = try await Self.fault(assault) { Issue.record("\(fault)") }
  }

  private func search(
    _ name: String, among isMeant: @escaping (Door) -> Bool,
    _ fault: @escaping @Sendable (Assault) throws -> String?
  ) async throws {
    // The suite tries the same combinations on every machine; a search tries others each time.
    let seed = FuzzRun.seed(of: name, otherwise: AssaultRun.isSearch ? nil : 1)
    var run = AssaultRun(name, seed: seed, isMeant)
    while let assault = run.next() {
      run.note(assault)
      // Once: an attack that gets through one time in many has got through.
      guard let found = try await onOwnThread({ try fault(assault) }) else { continue }
      run.save(assault)
      Issue.record("\(found)\n  scripts/fuzz attacks --case \"\(assault)\"")
    }
  }

  private static func fault(_ assault: Assault) async throws -> String? {
    try await onOwnThread {
      if assault.door.isOfProgram, let fault = try programFault(assault) { return fault }
      return assault.door.isOfRuntime ? try runtimeFault(assault) : nil
    }
  }

  private static func programFault(_ assault: Assault) throws -> String? {
    try DoorProgram(assault).faults().first
  }

  private static func runtimeFault(_ assault: Assault) throws -> String? {
    let watchdog = Watchdog("\(assault)")
    defer { watchdog.stop() }
    return try DoorRuntime(assault).faults().first
  }
}
