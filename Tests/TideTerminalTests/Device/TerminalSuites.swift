import Testing

/// The suites that take the process's one terminal: never two at a time.
@Suite(.serialized) enum TerminalSuites {}
