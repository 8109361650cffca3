import Foundation

do {
  let isFine = Benchmark(try Options(Array(CommandLine.arguments.dropFirst()))).run()
  exit(isFine ? 0 : 1)
} catch {
  complain("\(error.message): see scripts/bench --help\n")
  exit(64)
}
