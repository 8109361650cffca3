// A program that has native code execution on purpose. It confines itself and then tries what an
// attacker would, printing a line for each attempt: its name, a tab, and the error number.
//
//     Confined attacks FOLDER       Confined attacks-unconfined FOLDER
//     Confined attacks-in-sqlite FOLDER
//     Confined needs FOLDER         Confined broker FOLDER
//     Confined network PORT OTHER   Confined network-unconfined PORT OTHER
//     Confined cost                 Confined simulate LACKS COMMAND…

import CSQLite
import CTideSQLite
import Glibc
import NativeAttacks
import TideSystem

/// Flushes each line, since an attack that succeeds may end the program.
func tell(_ name: UnsafePointer<CChar>?, _ failure: Int32) {
  guard let name else { return }
  print("\(String(cString: name))\t\(failure)")
  fflush(nil)
}

func prepare(_ folder: String) {
  let paths = ["readable", "writable", "outside", "outside/listener"].map {
    strdup(folder + "/" + $0)
  }
  var scene = AttackScene(
    readable: paths[0], writable: paths[1], outside: paths[2], socket: paths[3])
  attacks_prepare(&scene)
}

func confine(_ folder: String, reopening: Bool = false) throws {
  var confinement = Confinement()
  confinement.readable = [folder + "/readable"]
  confinement.writable = [folder + "/writable"]
  if reopening { confinement.reopened = [folder + "/readable"] }
  let report = try confinement.apply()
  print("confined: \(report)")
}

/// Attacks from a function that SQLite calls in the middle of a query, as an attacker does who has
/// made SQLite call a pointer of their choice. The database is opened before the wall goes up.
func attackInSQLite(_ folder: String) throws {
  guard tide_sqlite_start() else { exit(70) }
  var database: OpaquePointer?
  let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
  let path = folder + "/writable/attacked.db"
  guard sqlite3_open_v2(path, &database, flags, tide_sqlite_file_system()) == SQLITE_OK,
    let database, tide_sqlite_guard(database) == SQLITE_OK
  else { exit(70) }
  sqlite3_create_function_v2(
    database, "attack", 0, SQLITE_UTF8, nil, { _, _, _ in attacks_run(tell) }, nil, nil, nil)
  try confine(folder)
  // A journal on the disk would have to be read in a folder that may only be written to.
  let query = """
    PRAGMA journal_mode = MEMORY; CREATE TABLE t (n); INSERT INTO t VALUES (1);
    SELECT attack() FROM t ORDER BY n
    """
  tell("need: a query", sqlite3_exec(database, query, nil, nil, nil))
}

/// Leaves the network open for connections to one port.
func confineNetwork(_ port: UInt16) throws {
  try HTTPClient.prepare()
  var confinement = Confinement()
  confinement.allowsNetwork = true
  confinement.isClientOnly = true
  confinement.ports = [Int(port)]
  try confinement.apply()
}

/// Asks as scripts may, by a name and by an address.
func request(_ port: UInt16) throws {
  let loop = try EventLoop()
  let client = HTTPClient(loop: loop)
  client.proxies = HTTPProxies()
  for host in ["127.0.0.1", "localhost"] {
    client.start(HTTPRequest(url: "http://\(host):\(port)/plain", timeout: 10)) { result in
      if case .success(let response) = result, response.status == 200 {
        print("need: request to \(host)\t0")
      } else {
        print("need: request to \(host)\t\(EIO)")
        print(result)
      }
    }
  }
  while loop.hasWork { loop.turn() }
}

/// How long the wall takes to go up, in a process of its own each time.
func cost() {
  var times: [Double] = []
  for _ in 0..<50 {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let child = tide_fork()
    if child == 0 {
      let start = now()
      var confinement = Confinement()
      confinement.readable = ["/usr"]
      confinement.reopened = ["/usr"]
      let isDone = (try? confinement.apply()) != nil
      var time = isDone ? now() - start : -1
      write(ends[1], &time, MemoryLayout<Double>.size)
      _exit(0)
    }
    var time = 0.0
    read(ends[0], &time, MemoryLayout<Double>.size)
    close(ends[0])
    close(ends[1])
    waitpid(child, nil, 0)
    times.append(time)
  }
  times.sort()
  print("microseconds: least \(Int(times[0])), median \(Int(times[times.count / 2]))")
}

func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

let arguments = CommandLine.arguments
let folder = arguments.count > 2 ? arguments[2] : ""
do {
  switch arguments.dropFirst().first {
  case "attacks":
    prepare(folder)
    try confine(folder)
    attacks_run(tell)
  case "attacks-in-sqlite":
    prepare(folder)
    try attackInSQLite(folder)
  case "attacks-unconfined":
    prepare(folder)
    attacks_run(tell)
  case "needs":
    prepare(folder)
    try confine(folder)
    needs_run(tell)
  case "broker":
    setenv("ATTACK_FOLDER", folder, 1)
    // Few enough to be used up, by the broker too.
    var limit = rlimit(rlim_cur: 256, rlim_max: 256)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    try confine(folder, reopening: true)
    broker_attacks_run(tell)
  case "network", "network-unconfined":
    let port = UInt16(folder) ?? 0
    if arguments[1] == "network" { try confineNetwork(port) }
    try request(port)
    network_attacks_run(port, arguments.count > 3 ? UInt16(arguments[3]) ?? 0 : 0, tell)
  case "cost": cost()
  case "simulate":
    var strings = arguments.dropFirst(3).map { strdup($0) } + [nil]
    exit(attacks_simulate_kernel(Int32(folder) ?? 0, &strings))
  default: exit(64)
  }
} catch {
  print(error)
  exit(69)
}
