/// What a page shows, by the path of its address.
enum PagePlace: String, CaseIterable, Sendable {
  /// The app itself.
  case app = "/"
  /// What looks into it, for developers.
  case inspector = "/inspect"
}
