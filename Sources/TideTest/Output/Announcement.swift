import TideSystem

/// Says aloud how a run went, with whichever speaking program is installed.
package enum Announcement {
  /// Does not wait for the end of it; where no program can speak, nothing is said.
  package static func say(isGood: Bool) {
    let text = isGood ? "All tests passed" : "Some tests failed"
    for program in ["espeak-ng", "espeak", "say"] where start(program, text) { return }
  }

  private static func start(_ program: String, _ text: String) -> Bool {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in Int32(1)...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(text), nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    return posix_spawnp(&process, program, &actions, nil, &arguments, environ) == 0
  }
}
