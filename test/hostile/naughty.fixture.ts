/** Strings known to break programs: a published list, and further strings that the list lacks. */
import published from 'big-list-of-naughty-strings' with { type: 'json' }

/** Names and syntax that are special in JavaScript, in the search, or in a URL. */
const SYNTAX = [
  ...[
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'hasOwnProperty',
    '[object Object]',
    '{a}',
    '^a',
    '*',
  ],
  ...[
    'NEAR(a b)',
    'a AND OR NOT',
    'title:"x"',
    '"unbalanced',
    'a*',
    '-a',
    'col : a',
    'a NOT',
    "x'); DROP TABLE t;--",
  ],
  ...[
    '%',
    '%00',
    '%2e%2e',
    '%ff',
    '%s%s%s%n',
    '%@',
    '..',
    '.',
    'a/../b',
    'a\\..\\b',
    '//',
    'File:///',
    '+++ATH0',
  ],
  ...[
    '+0',
    '-0',
    '+0.0',
    '-0.0',
    '1e999',
    '0x',
    '١٢٣',
    '１２３',
    '-9223372036854775809',
    '18446744073709551616',
  ],
  ...[
    '"onfocus=alert(1) autofocus',
    "'onfocus=alert(1) autofocus",
    ' onfocus=alert(1) autofocus',
    '<!--',
    ']]>',
  ],
  ...[
    '</textarea><script>alert(1)</script>',
    '<svg><script>1<1>alert(1)</script>',
    '\\x3Cscript>alert(1)',
    '&lt;a&#62;',
  ],
]

/** Invisible characters, and characters that change how adjacent characters are displayed or processed. */
const CHARACTERS = [
  ...[
    '\n',
    '\r\n',
    '\t',
    ' ',
    '\u2028',
    'a\u0085b',
    'a\u00adb',
    '\ufeffa',
    '\ufffe',
    '\uffff',
    '\u{10ffff}',
    '\ufffd',
    '\ue000',
  ],
  // All invisible characters, and all whitespace.
  String.fromCodePoint(...range(0x200b, 0x200f), ...range(0x202a, 0x202e), ...range(0x2060, 0x206f)),
  String.fromCodePoint(...range(0x2000, 0x200a), 0x00a0, 0x1680, 0x180e, 0x202f, 0x205f, 0x3000),
  String.fromCodePoint(...range(0xe0020, 0xe007f)),
  `a${'\u0301\u0323'.repeat(50)}b`,
  'e\u0301',
  '\u212b',
  '\u202eabc\u202c',
  '\u2067abc',
  'กำ้้้้้้้้้้',
  'క్ష్మ్య',
  'ﷺ',
  'İıſß',
  'ȺȾ',
  'Σίσυφος ΣΊΣΥΦΟΣ',
  '表十ソ',
  '𠜎𠜱𡿺',
]

/** Emoji that consist of several code points. */
const EMOJI = [
  ...[
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u{1f44d}\u{1f3fd}',
    '\u{1f1e9}\u{1f1ea}\u{1f1eb}',
    '\u{1f3f4}\u200d\u2620\ufe0f',
  ],
  ...['1\ufe0f\u20e3', '\u{1f3f3}0\u{1f308}\ufe0f', '¯\\_(ツ)_/¯', '(╯°□°)╯︵ ┻━┻'],
]

/** Distinct naughty strings, starting with the empty string. */
export const NAUGHTY_STRINGS: readonly string[] = [
  ...new Set(['', ...published, ...SYNTAX, ...CHARACTERS, ...EMOJI]),
]

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
