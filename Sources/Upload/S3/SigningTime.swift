/// An instant as a signature names it, UTC with whole seconds: `20130524T000000Z`.
struct SigningTime: Hashable {
  /// The year, month and day, eight digits.
  let date: String
  /// The value of the field `x-amz-date`.
  let text: String

  /// Makes the time of so many seconds since 1970, limited to the years 1970 to 9999.
  init(seconds: Int64) {
    let seconds = min(max(seconds, 0), 253_402_300_799)
    let day = seconds / 86_400
    let second = seconds % 86_400
    // The civil date of a day in the Gregorian calendar, with years that begin in March; HTTPDate
    // does the inverse.
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    date =
      Self.digits(year, 4) + Self.digits(month, 2) + Self.digits(dayOfMonth, 2)
    text =
      date + "T" + Self.digits(second / 3600, 2) + Self.digits(second / 60 % 60, 2)
      + Self.digits(second % 60, 2) + "Z"
  }

  private static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
