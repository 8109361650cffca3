// A program of actors, tasks and threads, as a host would be, which the tests run: their own
// functions are tasks on no actor, to which nothing may belong.
//
//     Isolated scenarios           Isolated random SEED STEPS           Isolated stop
//     Isolated cycle COUNT SEED    Isolated live COUNT                  Isolated second

import Glibc
import OwnThread
import TideBindings
import TideScript

let report = Report()
let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "random":
  let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
  let steps = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 2000
  try await RandomRun.run(seed: seed, steps: steps, report)
case "cycle":
  let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 1000
  let seed = arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1
  try await Owners.cycle(count, seed: seed, report)
case "live":
  let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 1000
  try await Owners.live(count, report)
case "second":
  // Another thread uses an interpreter in which a call is under way.
  try Scenarios.secondUser()
case "stop":
  // A property of the main actor's graph, read on another thread.
  let person = Person("main", 1)
  let context = BindingContext()
  try context.bind(person, \.name, to: Label(), \.text)
  let parcel = Parcel(person: person, age: 1, isFree: false)
  let thread = JoinedThread {
    parcel.person.age = 2
    print("went on with \(BindingTable.current.errors.map(\.code.name))")
  }
  thread.join()
default:
  func run(_ name: String, _ scenario: () async throws -> Void) async {
    print(name)
    fflush(nil)
    do { try await scenario() } catch { report.fail("\(name): \(error)") }
  }
  await run("stores") { try await Scenarios.stores(report) }
  await run("sending") { await Scenarios.sending(report) }
  await run("two runtimes") { try Scenarios.twoRuntimes(report) }
  await run("services") { try await Scenarios.services(report) }
  await run("TideActor") { try await Scenarios.onTideActor(report) }
  await run("guests") { try await Scenarios.guests(report) }
  await run("deadlock") { try Scenarios.deadlock(report) }
  await run("short lives") { await Scenarios.shortLives(report) }
}
let isGood = report.finish()
print(isGood ? "all right" : "wrong")
exit(isGood ? 0 : 1)
