/// A currency of ISO 4217.
///
/// ```swift
/// Currency("JPY")?.decimals              // 0
/// Currency("USD")?.sign(in: .english)    // "$"
/// ```
struct Currency: Sendable {
  let code: String
  /// The number of decimals of the minor unit: 2 if it is a hundredth of the major unit.
  let decimals: Int

  /// Nil for an unknown code. Case does not matter.
  init?(_ code: String) {
    let code = code.uppercased()
    guard Self.codes.contains(code) else { return nil }
    self.code = code
    decimals = Self.unusual[code] ?? 2
  }

  /// The symbol that a language writes next to amounts: the currency's sign, or its code if there
  /// is none.
  func sign(in locale: FormatLocale) -> String {
    Self.own[locale.identifier]?[code] ?? Self.own[locale.language]?[code] ?? Self.signs[code]
      ?? code
  }

  private static let codes = Set(
    """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD
    CAD CDF CHF CLF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
    GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW
    KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD
    NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD
    SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYI UYU UYW
    UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  private static let unusual: [String: Int] = [
    "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0,
    "RWF": 0, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
    "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3, "CLF": 4, "UYW": 4,
  ]

  private static let signs: [String: String] = [
    "EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "KRW": "₩", "INR": "₹",
    "ILS": "₪", "VND": "₫", "BRL": "R$", "CAD": "CA$", "AUD": "A$", "NZD": "NZ$", "HKD": "HK$",
    "MXN": "MX$", "TWD": "NT$", "PHP": "₱", "XAF": "FCFA", "XOF": "F\u{202f}CFA",
  ]

  /// Signs that differ in a language or a region, such as that of its own currency.
  private static let own: [String: [String: String]] = [
    "cs": ["CZK": "Kč", "USD": "US$"], "da": ["DKK": "kr."], "en-GB": ["USD": "US$"],
    "es": ["USD": "US$"], "es-MX": ["MXN": "$"], "es-US": ["USD": "$"],
    "fr": ["USD": "$US", "CAD": "$CA"], "fr-CA": ["CAD": "$", "USD": "$\u{a0}US"],
    "hu": ["HUF": "Ft"], "ja": ["JPY": "￥", "CNY": "元"], "ko": ["USD": "US$"],
    "nb": ["NOK": "kr"], "nl": ["USD": "US$"], "no": ["NOK": "kr"], "pl": ["PLN": "zł"],
    "pt": ["USD": "US$"], "ru": ["RUB": "₽", "UAH": "₴"], "sv": ["SEK": "kr", "USD": "US$"],
    "tr": ["TRY": "₺"], "uk": ["UAH": "₴"], "zh": ["CNY": "¥", "JPY": "JP¥", "USD": "US$"],
  ]
}
