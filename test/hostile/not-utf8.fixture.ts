/** Request bodies that look like JSON but are not UTF-8. */

/** Returns the bytes `hex` between two texts. */
function around(before: string, hex: string, after = ''): Buffer {
  return Buffer.concat([Buffer.from(before), Buffer.from(hex.replaceAll(' ', ''), 'hex'), Buffer.from(after)])
}

/** Byte sequences that are invalid in UTF-8. */
const SEQUENCES: Readonly<Record<string, string>> = {
  'a byte of Latin-1': 'e9',
  'the byte FE': 'fe',
  'the byte FF': 'ff',
  'a lone continuation byte': '81',
  'two lone continuation bytes': '80 bf',
  'the first of two bytes': 'c3',
  'the first of three bytes': 'e6',
  'two of three bytes': 'e6 97',
  'three of four bytes': 'f0 9f aa',
  'a sequence that ends in a quotation mark': 'e0 22',
  'a character cut by another': 'e6 97 d1 88',
  'a slash in two bytes': 'c0 af',
  'a letter in two bytes': 'c1 a1',
  'a slash in three bytes': 'e0 80 af',
  'a slash in four bytes': 'f0 80 80 af',
  'a slash in six bytes': 'fc 80 80 80 80 af',
  'a zero in two bytes': 'c0 80',
  'a zero in six bytes': 'fc 80 80 80 80 80',
  'a high surrogate': 'ed a0 80',
  'a low surrogate': 'ed bf bf',
  'a pair of surrogates': 'ed a0 b4 ed b4 9e',
  'a code point beyond the last': 'f4 90 80 80',
  'a first byte beyond the last': 'f5 80 80 80',
  'a sequence of five bytes': 'f8 88 80 80 80',
}

/** Places for a byte sequence in JSON, each given by the text before and the text after it. */
const PLACES: Readonly<Record<string, readonly [string, string]>> = {
  'in a string': ['["a', 'b"]'],
  'in a key': ['{"', '":1}'],
  'behind a backslash': ['["\\', '"]'],
  'in an escape': ['["\\u00', '"]'],
  'in an array': ['[', ']'],
  'in a number': ['[12', ']'],
  'in an exponent': ['[1e', ']'],
  'in a literal': ['[tru', ']'],
  'between elements': ['[1,', '2]'],
  'behind the value': ['[]', ''],
  'before the value': ['', '[]'],
  'by itself': ['', ''],
}

/** JSON texts in encodings other than UTF-8. */
const ENCODINGS: Readonly<Record<string, Buffer>> = {
  'UTF-16, little end first': Buffer.from('["é"]', 'utf16le'),
  'UTF-16, little end first, marked': Buffer.from('\ufeff["é"]', 'utf16le'),
  'UTF-16, big end first': Buffer.from('["é"]', 'utf16le').swap16(),
  'UTF-16, big end first, marked': Buffer.from('\ufeff["é"]', 'utf16le').swap16(),
  'UTF-16 of ASCII alone': Buffer.from('{"input":{}}', 'utf16le'),
  'UTF-32, little end first': around('', '5b000000 22000000 e9000000 22000000 5d000000'),
  'UTF-32, big end first, marked': around('', '0000feff 0000005b 00000022 000000e9 00000022 0000005d'),
  'Latin-1': Buffer.from('["é"]', 'latin1'),
  'half of the mark of UTF-8': around('', 'ef bb', '{}'),
}

/** All bodies, keyed by a description of the fault. */
export const NOT_UTF8: ReadonlyMap<string, Buffer> = new Map([
  ...Object.entries(ENCODINGS),
  ...Object.entries(SEQUENCES).flatMap(([sequence, hex]) =>
    Object.entries(PLACES).map(
      ([place, [before, after]]) => [`${sequence}, ${place}`, around(before, hex, after)] as const,
    ),
  ),
])
