//! Numbers and dates as a spreadsheet shows them: the cell's number format applied to its raw value.

/// A moment as a spreadsheet stores it, taken apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    pub year: u16,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub milli: u16,
    /// The raw number: days since the epoch of the workbook.
    pub serial: f64,
}

impl Moment {
    /// ISO form: the date, with the time behind it when there is one; the time alone when there is no date.
    pub fn iso(&self) -> String {
        let date = format!("{:04}-{:02}-{:02}", self.year, self.month, self.day);
        let time = if self.second == 0 {
            format!("{:02}:{:02}", self.hour, self.minute)
        } else {
            format!("{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
        };
        if self.serial >= 0.0 && self.serial < 1.0 {
            time
        } else if self.hour == 0 && self.minute == 0 && self.second == 0 {
            date
        } else {
            format!("{date} {time}")
        }
    }
}

/// One piece of a number format's section.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Literal(String),
    /// `0`, `#` or `?`.
    Digit(char),
    Point,
    Comma,
    Percent,
    /// `E+` or `E-`; true when a plus is shown.
    Exponent(bool),
    General,
    Text,
    /// A run of one date letter: y m d h s, e (year), a (weekday).
    Date(char, usize),
    /// `[h]`, `[m]`, `[s]`.
    Elapsed(char, usize),
    /// AM/PM, A/P, 上午/下午.
    HalfDay(String, String),
}

/// The value in the "General" format: as many digits as a cell shows, never an exponent for what a person would type.
pub fn general(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let (negative, digits, point) = decimal(value);
    if digits.is_empty() {
        return "0".into();
    }
    // Far outside of what people type: as the spreadsheet does, with an exponent.
    if !(-8..=20).contains(&point) {
        return format!("{value:E}");
    }
    // Eleven characters are shown, the point being one of them; whole numbers keep all their digits.
    let whole = point.max(1) as usize;
    let decimals = 10usize.saturating_sub(whole);
    let (int, frac) = rounded(&digits, point, decimals.max(usize::from(whole < 15)));
    let frac = frac.trim_end_matches('0');
    let sign = if negative && (int != "0" || !frac.is_empty()) { "-" } else { "" };
    if frac.is_empty() { format!("{sign}{int}") } else { format!("{sign}{int}.{frac}") }
}

/// The value as the format code shows it; falls back to [`general`] for codes beyond us (fractions, conditions).
pub fn show(value: f64, code: &str) -> String {
    let sections = sections(code);
    let conditional = code.contains("[<") || code.contains("[>") || code.contains("[=");
    if !value.is_finite() || conditional || sections.is_empty() {
        return general(value);
    }
    let picked = match (sections.len(), value) {
        (1, _) => (&sections[0], value < 0.0),
        (2, v) if v < 0.0 => (&sections[1], false),
        (2, _) => (&sections[0], false),
        (_, v) if v < 0.0 => (&sections[1], false),
        (_, v) if v > 0.0 => (&sections[0], false),
        (_, _) => (&sections[2], false),
    };
    let (section, minus) = picked;
    match number(value.abs(), section) {
        Some(text) => {
            let nothing = !text.chars().any(|c| ('1'..='9').contains(&c));
            if minus && !nothing { format!("-{text}") } else { text }
        }
        None => general(value),
    }
}

/// The moment as the format code shows it; ISO when the code depends on the reader's country or is beyond us.
pub fn show_date(moment: &Moment, code: &str) -> String {
    let sections = sections(code);
    let Some(pieces) = sections.first() else { return moment.iso() };
    let is_date = pieces.iter().any(|p| matches!(p, Piece::Date(..) | Piece::Elapsed(..)));
    if !is_date {
        return moment.iso();
    }
    date(moment, pieces).unwrap_or_else(|| moment.iso())
}

/// Whether a format shows dates or times.
pub fn is_date_code(code: &str) -> bool {
    sections(code).first().is_some_and(|s| s.iter().any(|p| matches!(p, Piece::Date(..) | Piece::Elapsed(..))))
}

/// The 15 decimal digits that a spreadsheet keeps: sign, digits without trailing zeros, place of the point
/// (0.5 is `5` with the point at 0, 12 is `12` with the point at 2).
fn decimal(value: f64) -> (bool, Vec<u8>, i32) {
    let text = format!("{:.14e}", value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
    while digits.last() == Some(&0) {
        digits.pop();
    }
    (value < 0.0, digits, exponent.parse::<i32>().unwrap_or(0) + 1)
}

/// Whole part and exactly `decimals` decimals of the number, rounded half up as spreadsheets do.
fn rounded(digits: &[u8], point: i32, decimals: usize) -> (String, String) {
    let keep = point + decimals as i32;
    let at = |i: i32| -> u8 { usize::try_from(i).ok().and_then(|i| digits.get(i).copied()).unwrap_or(0) };
    let first = point.min(0);
    let mut kept: Vec<u8> = (first..keep.max(first)).map(at).collect();
    if keep >= first && at(keep) >= 5 {
        let mut i = kept.len();
        loop {
            if i == 0 {
                kept.insert(0, 1);
                break;
            }
            i -= 1;
            if kept[i] == 9 {
                kept[i] = 0;
            } else {
                kept[i] += 1;
                break;
            }
        }
    }
    while kept.len() < decimals {
        kept.insert(0, 0);
    }
    let text: String = kept.iter().map(|d| char::from(b'0' + d)).collect();
    let (int, frac) = text.split_at(text.len() - decimals);
    let int = int.trim_start_matches('0');
    (if int.is_empty() { "0".into() } else { int.into() }, frac.into())
}

fn sections(code: &str) -> Vec<Vec<Piece>> {
    let mut out = vec![Vec::new()];
    let chars: Vec<char> = code.chars().collect();
    let mut i = 0;
    let push_literal = |out: &mut Vec<Vec<Piece>>, c: char| {
        let Some(section) = out.last_mut() else { return };
        if let Some(Piece::Literal(text)) = section.last_mut() {
            text.push(c);
        } else {
            section.push(Piece::Literal(c.to_string()));
        }
    };
    while let Some(&c) = chars.get(i) {
        let rest: String = chars[i..].iter().take(7).collect::<String>().to_lowercase();
        let mut step = 1;
        let piece = match c {
            ';' => {
                out.push(Vec::new());
                None
            }
            '"' => {
                i += 1;
                while let Some(&q) = chars.get(i) {
                    if q == '"' {
                        break;
                    }
                    push_literal(&mut out, q);
                    i += 1;
                }
                None
            }
            '\\' | '!' => {
                if let Some(&next) = chars.get(i + 1) {
                    push_literal(&mut out, next);
                }
                step = 2;
                None
            }
            // Blank as wide as the next character, or fill with it: nothing that a person would type.
            '_' | '*' => {
                step = 2;
                None
            }
            '[' => {
                let inner: String = chars[i + 1..].iter().take_while(|c| **c != ']').collect();
                step = inner.chars().count() + 2;
                bracket(&inner)
            }
            _ if rest.starts_with("general") => {
                step = 7;
                Some(Piece::General)
            }
            _ if rest.starts_with("am/pm") => {
                step = 5;
                Some(Piece::HalfDay("AM".into(), "PM".into()))
            }
            _ if rest.starts_with("a/p") => {
                step = 3;
                Some(Piece::HalfDay("A".into(), "P".into()))
            }
            _ if rest.starts_with("上午/下午") => {
                step = 5;
                Some(Piece::HalfDay("上午".into(), "下午".into()))
            }
            'E' | 'e' if matches!(chars.get(i + 1), Some('+' | '-')) => {
                step = 2;
                Some(Piece::Exponent(chars.get(i + 1) == Some(&'+')))
            }
            '0' | '#' | '?' => Some(Piece::Digit(c)),
            '.' => Some(Piece::Point),
            ',' => Some(Piece::Comma),
            '%' => Some(Piece::Percent),
            '@' => Some(Piece::Text),
            'y' | 'Y' | 'm' | 'M' | 'd' | 'D' | 'h' | 'H' | 's' | 'S' | 'e' | 'a' => {
                let letter = c.to_ascii_lowercase();
                step = chars[i..].iter().take_while(|x| x.to_ascii_lowercase() == letter).count();
                Some(Piece::Date(letter, step))
            }
            other => {
                push_literal(&mut out, other);
                None
            }
        };
        if let (Some(piece), Some(section)) = (piece, out.last_mut()) {
            section.push(piece);
        }
        i += step;
    }
    out
}

/// What stands in square brackets: a currency sign, elapsed time; colours and locales show nothing.
fn bracket(inner: &str) -> Option<Piece> {
    if let Some(money) = inner.strip_prefix('$') {
        let sign = money.split('-').next().unwrap_or_default();
        return (!sign.is_empty()).then(|| Piece::Literal(sign.to_string()));
    }
    let letter = inner.chars().next()?.to_ascii_lowercase();
    let same = inner.chars().all(|c| c.to_ascii_lowercase() == letter);
    (same && matches!(letter, 'h' | 'm' | 's')).then_some(Piece::Elapsed(letter, inner.len()))
}

fn number(value: f64, section: &[Piece]) -> Option<String> {
    let digits_in = |pieces: &[Piece]| pieces.iter().filter(|p| matches!(p, Piece::Digit(_))).count();
    if section.iter().any(|p| matches!(p, Piece::Date(..) | Piece::Elapsed(..) | Piece::HalfDay(..))) {
        return None;
    }
    if section.iter().any(|p| matches!(p, Piece::General | Piece::Text)) {
        let mut out = String::new();
        for piece in section {
            match piece {
                Piece::General | Piece::Text => out.push_str(&general(value)),
                Piece::Literal(text) => out.push_str(text),
                Piece::Percent => out.push('%'),
                Piece::Digit(_) | Piece::Point | Piece::Comma | Piece::Exponent(_) => return None,
                Piece::Date(..) | Piece::Elapsed(..) | Piece::HalfDay(..) => return None,
            }
        }
        return Some(out.trim().to_string());
    }
    let total = digits_in(section);
    if total == 0 {
        // Only words: the value is not shown at all, e.g. a dash for zero.
        let words: String = section.iter().filter_map(literal).collect();
        return Some(words.trim().to_string());
    }
    // Fractions such as `# ?/?`.
    if section.iter().any(|p| matches!(p, Piece::Literal(t) if t.contains('/'))) {
        return None;
    }
    if let Some(e) = section.iter().position(|p| matches!(p, Piece::Exponent(_))) {
        return scientific(value, section, e);
    }
    let point = section.iter().position(|p| *p == Piece::Point).unwrap_or(section.len());
    let last_digit = section.iter().rposition(|p| matches!(p, Piece::Digit(_))).unwrap_or(0);
    let last_int = section[..point].iter().rposition(|p| matches!(p, Piece::Digit(_)));
    let first_digit = section.iter().position(|p| matches!(p, Piece::Digit(_))).unwrap_or(0);
    let decimals = digits_in(&section[point..]);
    let grouped = last_int.is_some_and(|end| section[first_digit..end].contains(&Piece::Comma));
    let percent = section.iter().filter(|p| **p == Piece::Percent).count() as i32;
    // Commas right behind the last digit leave thousands out.
    let thousands = section.iter().skip(last_digit + 1).take_while(|p| **p == Piece::Comma).count() as i32
        + last_int.map_or(0, |end| {
            section[end + 1..point].iter().take_while(|p| point < section.len() && **p == Piece::Comma).count() as i32
        });
    let (_, digits, place) = decimal(value);
    let (int, frac) = rounded(&digits, place + 2 * percent - 3 * thousands, decimals);
    let mut frac: Vec<char> = frac.chars().collect();
    // Optional decimals (`#`) disappear from the right when they are zero.
    let frac_digits: Vec<char> =
        section[point..].iter().filter_map(|p| if let Piece::Digit(d) = p { Some(*d) } else { None }).collect();
    while frac.last() == Some(&'0') && frac_digits.get(frac.len() - 1) == Some(&'#') {
        frac.pop();
    }
    let int_places = digits_in(&section[..point]);
    let zeros = section[..point].iter().skip_while(|p| **p != Piece::Digit('0'));
    let least = zeros.filter(|p| matches!(p, Piece::Digit(_))).count();
    let int = if int == "0" && least == 0 { String::new() } else { format!("{int:0>least$}") };
    let int_chars: Vec<char> = int.chars().collect();
    // With words between the digits (phone numbers, 000-0000) each place takes its own digit, the first all the rest.
    let mut out = String::new();
    let mut seen = 0;
    let mut frac_at = 0;
    for (i, piece) in section.iter().enumerate() {
        match piece {
            Piece::Digit(_) if i < point => {
                let from_right = int_places - seen;
                let to = (int_chars.len() + 1).saturating_sub(from_right);
                let from = if seen == 0 { 0 } else { to.saturating_sub(1) };
                for at in from..to.min(int_chars.len()) {
                    out.push(int_chars[at]);
                    let left = int_chars.len() - at - 1;
                    if grouped && left > 0 && left.is_multiple_of(3) {
                        out.push(',');
                    }
                }
                seen += 1;
            }
            Piece::Digit(_) => {
                if let Some(c) = frac.get(frac_at) {
                    out.push(*c);
                }
                frac_at += 1;
            }
            Piece::Point => {
                if !frac.is_empty() || !frac_digits.contains(&'#') || frac_digits.is_empty() {
                    out.push('.');
                }
            }
            Piece::Percent => out.push('%'),
            Piece::Literal(text) => out.push_str(text),
            Piece::Comma => {}
            Piece::Exponent(_) | Piece::General | Piece::Text => return None,
            Piece::Date(..) | Piece::Elapsed(..) | Piece::HalfDay(..) => return None,
        }
    }
    Some(out.trim().to_string())
}

fn literal(piece: &Piece) -> Option<&str> {
    if let Piece::Literal(text) = piece { Some(text) } else { None }
}

fn scientific(value: f64, section: &[Piece], e: usize) -> Option<String> {
    let point = section[..e].iter().position(|p| *p == Piece::Point);
    let decimals = point.map_or(0, |p| section[p..e].iter().filter(|p| matches!(p, Piece::Digit(_))).count());
    let least = section[e..].iter().filter(|p| matches!(p, Piece::Digit(_))).count();
    let text = format!("{value:.decimals$e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let sign = match (exponent < 0, &section[e]) {
        (true, _) => "-",
        (false, Piece::Exponent(true)) => "+",
        (false, _) => "",
    };
    Some(format!("{mantissa}E{sign}{:0>least$}", exponent.abs()))
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const DAYS_ZH: [&str; 7] = ["日", "一", "二", "三", "四", "五", "六"];

fn date(m: &Moment, pieces: &[Piece]) -> Option<String> {
    let half = pieces.iter().any(|p| matches!(p, Piece::HalfDay(..)));
    let month = MONTHS.get(usize::from(m.month).checked_sub(1)?)?;
    let weekday = weekday(m)?;
    let mut out = String::new();
    let mut fraction = false;
    for (i, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Date('y', n) if *n <= 2 => out.push_str(&format!("{:02}", m.year % 100)),
            Piece::Date('y' | 'e', _) => out.push_str(&format!("{:04}", m.year)),
            Piece::Date('m', n) if *n <= 2 && is_minute(pieces, i) => out.push_str(&padded(m.minute.into(), *n)),
            Piece::Date('m', 3) => out.push_str(month.get(..3)?),
            Piece::Date('m', 4) => out.push_str(month),
            Piece::Date('m', 5) => out.push_str(month.get(..1)?),
            Piece::Date('m', n) => out.push_str(&padded(m.month.into(), *n)),
            Piece::Date('d', 3) => out.push_str(DAYS[weekday].get(..3)?),
            Piece::Date('d', n) if *n > 3 => out.push_str(DAYS[weekday]),
            Piece::Date('d', n) => out.push_str(&padded(m.day.into(), *n)),
            Piece::Date('a', 3) => out.push_str(&format!("周{}", DAYS_ZH[weekday])),
            Piece::Date('a', 4) => out.push_str(&format!("星期{}", DAYS_ZH[weekday])),
            Piece::Date('h', n) => {
                let hour = if half { (m.hour + 11) % 12 + 1 } else { m.hour };
                out.push_str(&padded(hour.into(), *n));
            }
            Piece::Date('s', n) => out.push_str(&padded(m.second.into(), *n)),
            Piece::Date(..) => return None,
            Piece::Elapsed(unit, n) => {
                let seconds = (m.serial * 86_400.0).round();
                let whole = match unit {
                    'h' => (seconds / 3600.0).floor(),
                    'm' => (seconds / 60.0).floor(),
                    _ => seconds,
                };
                out.push_str(&padded(whole.max(0.0) as u64, *n));
            }
            Piece::HalfDay(am, pm) => out.push_str(if m.hour < 12 { am } else { pm }),
            Piece::Literal(text) => out.push_str(text),
            // A point and zeros behind seconds are their fraction; elsewhere they are written as they stand.
            Piece::Point => {
                fraction = matches!(pieces.get(i + 1), Some(Piece::Digit('0')));
                out.push('.');
                if fraction {
                    let places = pieces[i + 1..].iter().take_while(|p| **p == Piece::Digit('0')).count();
                    out.extend(format!("{:03}", m.milli).chars().chain("000".chars()).take(places.min(3)));
                }
            }
            Piece::Digit('0') if fraction => {}
            Piece::Comma => out.push(','),
            Piece::Text | Piece::Digit(_) | Piece::Percent | Piece::Exponent(_) | Piece::General => return None,
        }
    }
    Some(out.trim().to_string())
}

fn padded(value: u64, width: usize) -> String {
    format!("{value:0>width$}", width = width.min(2))
}

/// `m` means minutes right behind hours or right before seconds.
fn is_minute(pieces: &[Piece], at: usize) -> bool {
    let unit = |p: &Piece| match p {
        Piece::Date(c, _) | Piece::Elapsed(c, _) => Some(*c),
        Piece::Literal(_)
        | Piece::Digit(_)
        | Piece::Point
        | Piece::Comma
        | Piece::Percent
        | Piece::Exponent(_)
        | Piece::General
        | Piece::Text
        | Piece::HalfDay(..) => None,
    };
    let before = pieces[..at].iter().rev().find_map(unit);
    let after = pieces[at + 1..].iter().find_map(unit);
    before == Some('h') || after == Some('s')
}

/// Day of the week of a Gregorian date, Sunday is 0 (Sakamoto's table of month offsets).
fn weekday(m: &Moment) -> Option<usize> {
    const OFFSETS: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let offset = OFFSETS.get(usize::from(m.month).checked_sub(1)?)?;
    let year = u32::from(m.year) - u32::from(m.month < 3 && m.year > 0);
    Some(((year + year / 4 - year / 100 + year / 400 + offset + u32::from(m.day)) % 7) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(year: u16, month: u8, day: u8, hour: u8, minute: u8, second: u8) -> Moment {
        let serial = 46_082.0 + f64::from(hour) / 24.0;
        Moment { year, month, day, hour, minute, second, milli: 0, serial }
    }

    #[test]
    fn numbers_without_a_format_are_shown_as_typed() {
        for (value, shown) in [
            (120.0, "120"),
            (12.5, "12.5"),
            (0.1 + 0.2, "0.3"),
            (1234567.0, "1234567"),
            (13800138000.0, "13800138000"),
            (6222020200112233.0, "6222020200112230"),
            (-3.25, "-3.25"),
            (1.0 / 3.0, "0.333333333"),
            (0.0, "0"),
            (99.999, "99.999"),
            (1e-10, "1E-10"),
        ] {
            assert_eq!(general(value), shown, "{value:?}");
        }
    }

    #[test]
    fn number_formats_are_applied_as_the_sheet_shows_them() {
        for (value, code, shown) in [
            (120.0, "00000", "00120"),
            (12.5, "0.00", "12.50"),
            (1234.5, "#,##0.00", "1,234.50"),
            (1234567.891, "#,##0", "1,234,568"),
            (0.125, "0.0%", "12.5%"),
            (0.5, "0%", "50%"),
            (1.005, "0.00", "1.01"),
            (-1234.5, "#,##0.00;(#,##0.00)", "(1,234.50)"),
            (-2.5, "0.00", "-2.50"),
            (0.0, "0.00", "0.00"),
            (0.0, "_(* #,##0.00_);_(* (#,##0.00);_(* \"-\"??_);_(@_)", "-"),
            (1234.5, "_(* #,##0.00_);_(* (#,##0.00);_(* \"-\"??_);_(@_)", "1,234.50"),
            (1234.5, "[$¥-804]#,##0.00", "¥1,234.50"),
            (1234.5, "\"¥\"#,##0.00", "¥1,234.50"),
            (3.0, "0\"件\"", "3件"),
            (2.5, "0.##", "2.5"),
            (2.0, "0.##", "2"),
            (5551234.0, "000-0000", "555-1234"),
            (1234567.0, "#,##0,", "1,235"),
            (12345.678, "0.00E+00", "1.23E+04"),
            (42.0, "General", "42"),
            (42.0, "@", "42"),
            (0.75, "# ?/?", "0.75"),
            (-0.001, "0.00", "0.00"),
            (999.999, "0.00", "1000.00"),
            (7.0, "0000000000000000000000", "0000000000000000000007"),
        ] {
            assert_eq!(show(value, code), shown, "{value} as {code}");
        }
    }

    #[test]
    fn dates_follow_their_format() {
        let day = moment(2026, 3, 1, 0, 0, 0);
        for (code, shown) in [
            ("yyyy/m/d", "2026/3/1"),
            ("yyyy-mm-dd", "2026-03-01"),
            ("dd.mm.yyyy", "01.03.2026"),
            ("m/d/yy", "3/1/26"),
            ("yyyy\"年\"m\"月\"d\"日\"", "2026年3月1日"),
            ("[$-804]yyyy年m月d日;@", "2026年3月1日"),
            ("d-mmm-yy", "1-Mar-26"),
            ("dddd, mmmm dd, yyyy", "Sunday, March 01, 2026"),
            ("aaaa", "星期日"),
            ("General", "2026-03-01"),
        ] {
            assert_eq!(show_date(&day, code), shown, "{code}");
        }
        let noon = moment(2026, 3, 1, 13, 5, 9);
        for (code, shown) in [
            ("yyyy-mm-dd hh:mm", "2026-03-01 13:05"),
            ("h:mm AM/PM", "1:05 PM"),
            ("hh:mm:ss", "13:05:09"),
            ("mm:ss", "05:09"),
        ] {
            assert_eq!(show_date(&noon, code), shown, "{code}");
        }
        assert_eq!(noon.iso(), "2026-03-01 13:05:09");
    }

    proptest::proptest! {
        #[test]
        fn no_format_code_and_no_value_brings_it_down(value in proptest::num::f64::ANY, code in "\\PC{0,24}") {
            show(value, &code);
            general(value);
            show_date(&Moment { year: 2026, month: 3, day: 1, hour: 0, minute: 0, second: 0, milli: 0, serial: value }, &code);
        }

        #[test]
        fn format_like_codes_do_not_bring_it_down(value in proptest::num::f64::NORMAL, code in "[0#?.,%;E+\\-\\[\\]$@ymdhs\"\\\\_*/ ]{0,16}") {
            show(value, &code);
            show_date(&Moment { year: 0, month: 13, day: 0, hour: 25, minute: 0, second: 0, milli: 0, serial: value }, &code);
        }
    }
}
