/// The words of reports, in English or in what `--lang` asks for.
package struct ReportWords: Sendable {
  private var words: [String: String] = [
    "pending": "Pending", "failure": "Failure", "error": "Error", "success": "Success",
    "pending_plural": "pending", "failure_plural": "failures", "error_plural": "errors",
    "success_plural": "successes", "pending_zero": "pending", "failure_zero": "failures",
    "error_zero": "errors", "success_zero": "successes", "pending_single": "pending",
    "failure_single": "failure", "error_single": "error", "success_single": "success",
    "seconds": "seconds",
  ]

  package init() {}

  subscript(_ name: String) -> String { words[name] ?? name }

  func plural(_ word: String, _ count: Int) -> String {
    switch count {
    case 0: self[word + "_zero"]
    case 1: self[word + "_single"]
    default: self[word + "_plural"]
    }
  }
}
