import TideCheck
import TideREPL
import TideTest

/// What prompts of this program know by `:help`: the API, and the words of specs.
enum PromptHelp {
  static let index = HelpIndex(definitions: SpecVocabulary.tidelock.definitions)
}
