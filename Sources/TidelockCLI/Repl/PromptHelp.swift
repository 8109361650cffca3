import TideCheck
import TideREPL
import TideTest

/// The index for `:help` at this program's prompts: the API, and the vocabulary of specs.
enum PromptHelp {
  static let index = HelpIndex(definitions: SpecVocabulary.tidelock.definitions)
}
