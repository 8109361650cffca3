/// What a page shows, by the path of its address.
enum PagePlace: String, CaseIterable, Sendable {
  /// The app itself.
  case app = "/"
  /// The inspector, for developers.
  case inspector = "/inspect"
}
