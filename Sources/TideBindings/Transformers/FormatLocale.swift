/// The notation of numbers, dates and plurals in a language.
///
/// ```swift
/// FormatLocale.named("de-AT")?.decimal    // ","
/// FormatLocale.english.category(of: 1)    // .one
/// ```
///
/// The table is from the Unicode CLDR, limited to what transformers need.
package struct FormatLocale: Sendable {
  /// In the form of BCP 47: `de`, `de-CH`.
  package let identifier: String
  package let decimal: String
  /// The separator of groups of three digits.
  package let grouping: String
  /// The gap between a number and its percent sign.
  let percentGap: String
  let months: [String]
  let shortMonths: [String]
  /// From Sunday.
  let days: [String]
  let shortDays: [String]
  /// The patterns of `%x` and `%X`.
  let date: String
  let time: String
  private let plural: PluralRule

  /// The language without its region.
  package var language: String { Self.language(of: identifier) }

  private static func language(of identifier: String) -> String {
    String(identifier.prefix { $0 != "-" })
  }

  package static let english = named("en") ?? FormatLocale("en", ".", ",", "", .one, "", "", "", "")

  /// The locale of an identifier, or of its language; nil if neither is known.
  package static func named(_ identifier: String) -> FormatLocale? {
    all[identifier] ?? all[language(of: identifier)]
  }

  /// Converts an identifier to the form of BCP 47, also from the form of POSIX: `de_DE.UTF-8`
  /// becomes `de-DE`.
  package static func identifier(of text: String) -> String {
    let head = text.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
    let parts = head.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first else { return "" }
    return
      ([first.lowercased()] + parts.dropFirst().map { $0.count == 2 ? $0.uppercased() : String($0) })
      .joined(separator: "-")
  }

  /// All known identifiers, sorted.
  package static let identifiers = all.keys.sorted()

  /// The plural categories of CLDR.
  package enum Category: String, CaseIterable, Sendable { case zero, one, two, few, many, other }

  package func category(of number: Double) -> Category { plural.category(of: number) }

  private init(
    _ identifier: String, _ decimal: String, _ grouping: String, _ percentGap: String,
    _ plural: PluralRule, _ months: String, _ shortMonths: String, _ days: String,
    _ shortDays: String, date: String = "%m/%d/%y", time: String = "%H:%M:%S"
  ) {
    self.identifier = identifier
    self.decimal = decimal
    self.grouping = grouping
    self.percentGap = percentGap
    self.plural = plural
    self.months = Self.words(months)
    self.shortMonths = Self.words(shortMonths)
    self.days = Self.words(days)
    self.shortDays = Self.words(shortDays)
    self.date = date
    self.time = time
  }

  private func with(_ identifier: String, decimal: String, grouping: String, date: String? = nil)
    -> FormatLocale
  {
    FormatLocale(
      identifier, decimal, grouping, percentGap, plural, months.joined(separator: " "),
      shortMonths.joined(separator: " "), days.joined(separator: " "),
      shortDays.joined(separator: " "), date: date ?? self.date, time: time)
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  private static let space = "\u{a0}"
  private static let narrow = "\u{202f}"
  private static let numbered = (1...12).map { "\($0)月" }.joined(separator: " ")
  private static let numberedKorean = (1...12).map { "\($0)월" }.joined(separator: " ")

  private static let all: [String: FormatLocale] = {
    var all: [String: FormatLocale] = [:]
    for locale in languages + regions { all[locale.identifier] = locale }
    return all
  }()

  private static var regions: [FormatLocale] {
    let known = Dictionary(languages.map { ($0.identifier, $0) }) { first, _ in first }
    return [
      known["de"]?.with("de-CH", decimal: ".", grouping: "’"),
      known["de"]?.with("de-AT", decimal: ",", grouping: space),
      known["de"]?.with("de-LI", decimal: ".", grouping: "’"),
      known["it"]?.with("it-CH", decimal: ".", grouping: "’"),
      known["en"]?.with("en-GB", decimal: ".", grouping: ",", date: "%d/%m/%y"),
      known["es"]?.with("es-MX", decimal: ".", grouping: ","),
      known["es"]?.with("es-US", decimal: ".", grouping: ","),
      known["pt"]?.with("pt-PT", decimal: ",", grouping: space),
      known["fr"]?.with("fr-CA", decimal: ",", grouping: space, date: "%Y-%m-%d"),
    ].compactMap(\.self)
  }

  private static let languages: [FormatLocale] = [
    FormatLocale(
      "en", ".", ",", "", .one,
      "January February March April May June July August September October November December",
      "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
      "Sunday Monday Tuesday Wednesday Thursday Friday Saturday", "Sun Mon Tue Wed Thu Fri Sat"),
    FormatLocale(
      "de", ",", ".", space, .one,
      "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
      "Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
      "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag", "So Mo Di Mi Do Fr Sa",
      date: "%d.%m.%y"),
    FormatLocale(
      "es", ",", ".", space, .spanish,
      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
      "ene feb mar abr may jun jul ago sept oct nov dic",
      "domingo lunes martes miércoles jueves viernes sábado", "dom lun mar mié jue vie sáb",
      date: "%d/%m/%y"),
    FormatLocale(
      "fr", ",", narrow, narrow, .french,
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
      "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
      "dimanche lundi mardi mercredi jeudi vendredi samedi", "dim. lun. mar. mer. jeu. ven. sam.",
      date: "%d/%m/%y"),
    FormatLocale(
      "it", ",", ".", "", .spanish,
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
      "gen feb mar apr mag giu lug ago set ott nov dic",
      "domenica lunedì martedì mercoledì giovedì venerdì sabato", "dom lun mar mer gio ven sab",
      date: "%d/%m/%y"),
    FormatLocale(
      "pt", ",", ".", "", .french,
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
      "jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.",
      "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
      "dom. seg. ter. qua. qui. sex. sáb.", date: "%d/%m/%y"),
    FormatLocale(
      "nl", ",", ".", "", .one,
      "januari februari maart april mei juni juli augustus september oktober november december",
      "jan feb mrt apr mei jun jul aug sep okt nov dec",
      "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag", "zo ma di wo do vr za",
      date: "%d-%m-%y"),
    FormatLocale(
      "pl", ",", space, "", .polish,
      "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
      "sty lut mar kwi maj cze lip sie wrz paź lis gru",
      "niedziela poniedziałek wtorek środa czwartek piątek sobota",
      "niedz. pon. wt. śr. czw. pt. sob.", date: "%d.%m.%y"),
    FormatLocale(
      "sv", ",", space, space, .one,
      "januari februari mars april maj juni juli augusti september oktober november december",
      "jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.",
      "söndag måndag tisdag onsdag torsdag fredag lördag", "sön mån tis ons tors fre lör",
      date: "%Y-%m-%d"),
    FormatLocale(
      "da", ",", ".", space, .danish,
      "januar februar marts april maj juni juli august september oktober november december",
      "jan. feb. mar. apr. maj jun. jul. aug. sep. okt. nov. dec.",
      "søndag mandag tirsdag onsdag torsdag fredag lørdag", "søn. man. tirs. ons. tors. fre. lør.",
      date: "%d.%m.%y", time: "%H.%M.%S"),
    FormatLocale(
      "nb", ",", space, space, .one,
      "januar februar mars april mai juni juli august september oktober november desember",
      "jan. feb. mars apr. mai juni juli aug. sep. okt. nov. des.",
      "søndag mandag tirsdag onsdag torsdag fredag lørdag", "søn. man. tir. ons. tor. fre. lør.",
      date: "%d.%m.%y"),
    FormatLocale(
      "no", ",", space, space, .one,
      "januar februar mars april mai juni juli august september oktober november desember",
      "jan. feb. mars apr. mai juni juli aug. sep. okt. nov. des.",
      "søndag mandag tirsdag onsdag torsdag fredag lørdag", "søn. man. tir. ons. tor. fre. lør.",
      date: "%d.%m.%y"),
    FormatLocale(
      "fi", ",", space, space, .one,
      "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
      "tammik. helmik. maalisk. huhtik. toukok. kesäk. heinäk. elok. syysk. lokak. marrask. jouluk.",
      "sunnuntai maanantai tiistai keskiviikko torstai perjantai lauantai", "su ma ti ke to pe la",
      date: "%d.%m.%Y", time: "%H.%M.%S"),
    FormatLocale(
      "cs", ",", space, space, .czech,
      "ledna února března dubna května června července srpna září října listopadu prosince",
      "led úno bře dub kvě čvn čvc srp zář říj lis pro",
      "neděle pondělí úterý středa čtvrtek pátek sobota", "ne po út st čt pá so", date: "%d.%m.%y"),
    FormatLocale(
      "sk", ",", space, space, .czech,
      "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
      "jan feb mar apr máj jún júl aug sep okt nov dec",
      "nedeľa pondelok utorok streda štvrtok piatok sobota", "ne po ut st št pi so",
      date: "%d.%m.%y"),
    FormatLocale(
      "hu", ",", space, "", .one,
      "január február március április május június július augusztus szeptember október november december",
      "jan. febr. márc. ápr. máj. jún. júl. aug. szept. okt. nov. dec.",
      "vasárnap hétfő kedd szerda csütörtök péntek szombat", "V H K Sze Cs P Szo",
      date: "%Y.%m.%d"),
    FormatLocale(
      "ru", ",", space, space, .russian,
      "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
      "янв. февр. мар. апр. мая июн. июл. авг. сент. окт. нояб. дек.",
      "воскресенье понедельник вторник среда четверг пятница суббота", "вс пн вт ср чт пт сб",
      date: "%d.%m.%y"),
    FormatLocale(
      "uk", ",", space, "", .russian,
      "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
      "січ. лют. бер. квіт. трав. черв. лип. серп. вер. жовт. лист. груд.",
      "неділя понеділок вівторок середа четвер пʼятниця субота", "нд пн вт ср чт пт сб",
      date: "%d.%m.%y"),
    FormatLocale(
      "tr", ",", ".", "", .one,
      "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
      "Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara",
      "Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi", "Paz Pzt Sal Çar Per Cum Cmt",
      date: "%d.%m.%Y"),
    FormatLocale(
      "ja", ".", ",", "", .none, numbered, numbered, "日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日",
      "日 月 火 水 木 金 土", date: "%Y/%m/%d"),
    FormatLocale(
      "zh", ".", ",", "", .none, "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月", numbered,
      "星期日 星期一 星期二 星期三 星期四 星期五 星期六", "周日 周一 周二 周三 周四 周五 周六", date: "%Y/%m/%d"),
    FormatLocale(
      "ko", ".", ",", "", .none, numberedKorean, numberedKorean, "일요일 월요일 화요일 수요일 목요일 금요일 토요일",
      "일 월 화 수 목 금 토", date: "%y.%m.%d"),
  ]
}

/// The rule for the plural category of a number, shared by several languages.
private enum PluralRule: Sendable {
  case none, one, french, spanish, danish, polish, czech, russian

  func category(of number: Double) -> FormatLocale.Category {
    let amount = number.magnitude
    let isWhole = amount == amount.rounded() && amount.isFinite
    let last = isWhole ? amount.truncatingRemainder(dividingBy: 10) : -1
    let lastTwo = isWhole ? amount.truncatingRemainder(dividingBy: 100) : -1
    let isTeen = lastTwo >= 11 && lastTwo <= 14
    switch self {
    case .none: return .other
    case .one: return amount == 1 ? .one : .other
    case .french:
      if amount < 2 { return .one }
      return Self.isMillions(amount) ? .many : .other
    case .spanish:
      if amount == 1 { return .one }
      return Self.isMillions(amount) ? .many : .other
    case .danish: return amount == 1 || !isWhole && amount < 2 ? .one : .other
    case .polish:
      if !isWhole { return .other }
      if amount == 1 { return .one }
      return last >= 2 && last <= 4 && !isTeen ? .few : .many
    case .czech:
      if !isWhole { return .many }
      if amount == 1 { return .one }
      return amount >= 2 && amount <= 4 ? .few : .other
    case .russian:
      if !isWhole { return .other }
      if last == 1 && !isTeen { return .one }
      return last >= 2 && last <= 4 && !isTeen ? .few : .many
    }
  }

  private static func isMillions(_ amount: Double) -> Bool {
    amount >= 1e6 && amount.truncatingRemainder(dividingBy: 1e6) == 0
  }
}
