import ArgumentParser

@main
enum Main {
  static func main() {
    StandardStreams.prepare()
    TidelockCommand.main()
  }
}
