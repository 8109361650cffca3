// A program of actors, tasks and threads, as a host would be, which the tests run: their own functions
// are tasks on no actor, to which nothing may belong.
//
//     Isolated scenarios           Isolated random SEED STEPS           Isolated stop

import Glibc
import TideBindings
import TideScript

let report = Report()
let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "random":
  let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 1
  let steps = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 2000
  print("seed \(seed), \(steps) steps")
  try await RandomRun.run(seed: seed, steps: steps, report)
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
  try await Scenarios.stores(report)
  await Scenarios.sending(report)
  try Scenarios.twoRuntimes(report)
  try await Scenarios.services(report)
  try await Scenarios.onTideActor(report)
  try await Scenarios.guests(report)
  try Scenarios.deadlock(report)
  await Scenarios.shortLives(report)
}
let isGood = report.finish()
print(isGood ? "all right" : "wrong")
exit(isGood ? 0 : 1)
