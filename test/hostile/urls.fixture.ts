/**
 * URLs that an operator might give for an API, known by construction to be valid or invalid. Every form of each component
 * that the URL standard accepts or refuses is combined with valid other components.
 */

/** Splits every row at spaces. Returns all words. */
function words(...rows: readonly string[]): string[] {
  return rows.flatMap((row) => row.split(' '))
}

const SCHEMES = words('https http HTTPS hTTp')

/** Hosts that the URL standard accepts, some of them after mapping or decoding. */
const HOSTS = [
  ...words(
    'h world.example WORLD.Example a-b.example -a.example a-.example a_b.example h. a..b 0.example 1e3.example',
  ),
  ...words('1.2.3.4.example', `${'a'.repeat(63)}.example`, `${'a'.repeat(64)}.example`, '1.2.3.0xg {host}'),
  ...words(
    'xn--bcher-kva.example bücher.example BÜCHER.example fußball.example ΣΊΣΥΦΟΣ.example пример.example',
  ),
  ...words('例え.テスト 실례.테스트 उदाहरण.परीक्षा مثال.إختبار דוגמה.טעסט ☃.example 🪐.example'),
  // Hosts that are mapped: full width, ideographic full stop, ligature, soft hyphen, letter with a combining mark.
  ...words('ｗｏｒｌｄ.example world。example ﬁ.example wor\u00adld.example a\u0308.example'),
  ...words('%68 world%2Eexample b%C3%BCcher.example'),
  ...words(`a!b a$b a&b a'b a(b) a*b a+b a,b a;b a=b a~b a\`b a{b} a"b`),
  // IP addresses in all notations.
  ...words('127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 127.0.0.1. 0 0x ４２'),
  ...words('[::] [::1] [2001:db8::1] [2001:DB8:0:0:8:800:200C:417A] [::ffff:192.0.2.1] [1::8]'),
]

/** Hosts that the URL standard rejects. */
const NO_HOSTS = [
  '',
  // Characters that are invalid in a host, whether plain or encoded.
  ...words('a<b a>b a^b a|b a%b a% % %zz a]b a[b a\0b a\u0001b a\u007fb'),
  ...words('a%00b a%0Ab a%20b a%23b a%2Fb a%3Ab a%3Fb a%40b a%5Bb a%5Cb a%7Cb a%7Fb'),
  // Bytes that are not UTF-8, hosts that are empty after mapping, characters that are invalid in a name.
  ...words('%ff %C3%28 \u00ad %C2%AD a\ufffdb a\u202eb \u0301a'),
  // Characters that are mapped to invalid ones: full-width signs, a care-of sign.
  ...words('％ ％００ a／b a℀b a＠b a：b'),
  // IP addresses that are out of range or malformed.
  ...words('256.256.256.256 1.2.3.256 1.2.3.4.5 4294967296 0x100000000 1.2.3.08 a.1 1..2'),
  ...words('[] [ [::1 ::1] [::1]x x[::1] [1:2:3] [1:2:3:4:5:6:7:8:9] [::g] [:::1] [1::2::3] [12345::]'),
  ...words('[::1%25eth0] [::127.0.0.256] [::127.0.0] [::1.2.3.4:5] [v1.a] [127.0.0.1]'),
]

const PORTS = ['', ...words(': :0 :80 :443 :8080 :65535 :0000000000443')]
const NO_PORTS = words(':65536 :99999 :100000000000 :-1 :+1 :8a :0x50 :８０ :%38 :80:80 ::80')

const PATHS = [
  '',
  ...words('/ /api /api/world/v0 /a/b/ // //a /a// /a///b'),
  // Paths that must be kept as given, although a URL parser would remove or change some of their characters.
  ...words('/. /.. /a/../b /a/./b /%2e /%2E%2e/a /a%2Fb /a%5Cb /%7Bx%7D /{type} /% /%zz /%0 /%00 /%C3%28'),
  ...words(`/ü /u\u0308 /例え /🪐 /a;b=c /a:b /a@b /@ /a'b /a"b /<a> /a|b /[a] /^ /\` /~ /$& /* /(a) /a,b`),
  ...words('/C: /C|/a /https://other.example', `/${'a/'.repeat(500)}`),
]

const NO_SCHEMES = [
  '',
  ...words(
    'ftp file ws wss ssh mailto urn data blob about javascript view-source x htps httpss https+x xhttps',
  ),
  ...words('ht-tps 1https ｈttps httpſ https%3A blob:https'),
]

/** Invalid separators between scheme and host, most of which browsers repair. */
const NO_SEPARATORS = ['', ...words(': :/ :/// :://// // / :: ::: ::// :\\\\ :/\\ :\\/ ;// ：// %3A//')]

const USERS = words('@ :@ u@ u:@ :p@ u:p@ u%40:p@ @@ u@@ world.example@ world.example:80@')

const ENDINGS = words('? # ?# ?? ## ?x ?x=1 ?x=1&y=2 #x #/x ?x#y #x?y ?@ #@ ?/ /? /#')

/** Characters that a URL parser repairs: it removes or encodes whitespace, and treats a backslash as a slash. */
const REPAIRED = [
  ...[' ', '\r\n', '\\'],
  ...'\t\n\r\v\f\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\ufeff',
]

/** Texts that are not absolute http or https URLs. */
const OTHER = [
  '',
  ...words('. .. / // /// ? # : @ \\ \\\\h\\a //h //h/a /api/world/v0 api a/b h h:80 h/a world.example'),
  ...words(
    'world.example:8080/api localhost:8080 127.0.0.1 127.0.0.1:80 [::1] https https: https:/ https://',
  ),
  ...words(
    'https:/// https:h https:h/a https:/h/a https:///h/a https://? https://# https://@ https://: https://:80',
  ),
  ...words(
    'https://:80/a https://?x https:?x https:#x https:. mailto:a@h data:text/plain,a about:blank tel:1',
  ),
  ...words(
    'javascript:alert(1) urn:example:a C:\\a C:/a file:///a file://h/a blob:https://h/a <https://h> "https://h"',
  ),
  ...words('https%3A%2F%2Fh null undefined NaN {} [] 0 \0 \ufffd'),
]

/** Returns every concatenation of a text in `ones` with a text in `others`. */
function each(ones: readonly string[], others: readonly string[]): string[] {
  return ones.flatMap((one) => others.map((other) => one + other))
}

/** Returns the URLs that result from inserting `text` at each position before, between and after the parts. */
function putInto(parts: readonly string[], text: string): string[] {
  return Array.from({ length: parts.length + 1 }, (_, at) => parts.toSpliced(at, 0, text).join(''))
}

/** Valid URLs: absolute http or https URLs with nothing but a host, a port and a path. */
export const RIGHT_URLS: ReadonlySet<string> = new Set([
  ...each(each(['https://'], each(HOSTS, PORTS)), ['', '/api']),
  ...each(each(each(SCHEMES, ['://']), ['h', 'bücher.example', '[::1]:8080', '127.1:80']), PATHS),
])

/** Invalid URLs, almost all of them with a single invalid component. */
export const WRONG_URLS: ReadonlySet<string> = new Set([
  ...OTHER,
  ...each(each(['https://', 'http://'], NO_HOSTS), ['', '/', ':80/api']),
  ...each(each(each(['https://'], ['h', 'bücher.example', '[::1]', '127.1']), NO_PORTS), ['', '/api']),
  ...each(each(NO_SCHEMES, ['://']), ['h', 'h/api', '127.0.0.1:80', '[::1]']),
  ...each(each(SCHEMES, NO_SEPARATORS), ['h', 'h/api', '127.0.0.1:80']),
  ...each(each(['https://'], USERS), ['h', 'h/api', 'bücher.example:80', '[::1]']),
  ...each(each(['https://'], ['h', 'h:80', '[::1]', 'bücher.example', 'h/', 'h/api', 'h/a//']), ENDINGS),
  ...REPAIRED.flatMap((text) => [
    ...putInto(words('htt ps : / / wor ld .example : 80 80 / a /b'), text),
    ...putInto(words('http :// [:: 1] /'), text),
  ]),
])
