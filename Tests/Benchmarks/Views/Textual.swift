import FoundationEssentials
import Glibc

/// Becomes the peer in Python, whose interpreter the environment names; it reports by itself.
@MainActor
func runTextual() {
  guard let python = ProcessInfo.processInfo.environment["BENCH_TEXTUAL"] else { driver.refuse() }
  let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Peers/Textual/screen.py").standardized.path
  var words: [UnsafeMutablePointer<CChar>?] = []
  for word in [python, script, String(columns), String(rows)] { words.append(strdup(word)) }
  execv(python, words + [nil])
  driver.fail("\(python) cannot be run")
}
