/** Generates canonically equivalent spellings of ids. */

/** An id in its composed form (NFC), with its other canonically equivalent spellings. */
export interface Spellings {
  readonly nfc: string
  readonly others: readonly string[]
}

/** One text per line: the code points of its composed form and, after bars, those of its other spellings. */
const KNOWN = `
00C5 | 212B | 0041 030A
03A9 | 2126
004B | 212A
003B | 037E
02B9 | 0374
2002 | 2000
3008 | 2329
1E69 | 1E61 0323 | 1E63 0307 | 0073 0323 0307 | 0073 0307 0323
1E0D 0307 | 1E0B 0323 | 0064 0323 0307 | 0064 0307 0323
1EAD | 00E2 0323 | 1EA1 0302 | 0061 0302 0323 | 0061 0323 0302
0071 0323 0307 | 0071 0307 0323
00E0 05AE 0315 0062 | 0061 0315 0300 05AE 0062 | 0061 05AE 0300 0315 0062 | 00E0 0315 05AE 0062
03B0 | 1FE3 | 03C5 0308 0301 | 03CB 0301
0308 0301 | 0344
AC00 | 1100 1161
AC01 | AC00 11A8 | 1100 1161 11A8
D4DB | D4CC 11B6 | 1111 1171 11B6
D7A3 | D788 11C2 | 1112 1175 11C2
0915 093C | 0958
0B94 | 0B92 0BD7
0CCB | 0CCA 0CD5 | 0CC6 0CC2 0CD5
0F42 0FB7 | 0F43
0F71 0F72 | 0F73
1B06 | 1B05 1B35
05D9 05B4 | FB1D
2ADD 0338 | 2ADC
8C48 | F900
4E3D | 2F800
110AB | 110A5 110BA
1112E | 11131 11127
1D157 1D165 | 1D15E
`

/** Examples from the Unicode standard: singletons, reordered marks, Hangul and composition exclusions. */
export const KNOWN_SPELLINGS: readonly Spellings[] = KNOWN.trim()
  .split('\n')
  .map((line) => {
    const [nfc = '', ...others] = line.split(' | ').map((hex) => {
      return id(String.fromCodePoint(...hex.split(' ').map((each) => Number.parseInt(each, 16))))
    })
    return { nfc, others }
  })

/** Ranges that contain all assigned code points outside private use, without surrogates. */
const RANGES = [
  [0, 0xd7ff],
  [0xe000, 0x323af],
  [0xe0000, 0xe01ef],
] as const

/**
 * Returns the known spellings, those of every code point that has several, and those of every mark combined with marks
 * of other classes. Canonical forms are spellings of the same text; compatibility forms are spellings of another text.
 */
export function allSpellings(): Spellings[] {
  const found: Spellings[] = [...KNOWN_SPELLINGS]
  for (const text of texts()) {
    const [nfc, nfd, nfkc, nfkd] = ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => id(text.normalize(form)))
    if (nfc === undefined || nfd === undefined || nfkc === undefined || nfkd === undefined) continue
    found.push({ nfc, others: [id(text), nfd].filter((one) => one !== nfc) })
    if (nfkc !== nfc) found.push({ nfc: nfkc, others: [nfkd].filter((one) => one !== nfkc) })
  }
  return found
}

function* texts(): Generator<string> {
  for (const [first, last] of RANGES) {
    for (let code = first; code <= last; code++) {
      const character = String.fromCodePoint(code)
      if (character.normalize('NFKD') !== character) yield character
      if (!/\p{M}/u.test(character)) continue
      yield `a\u0315\u0300\u05ae${character}b`
      yield `a${character}\u0315\u0300\u05aeb`
    }
  }
}

/** Puts a text between hyphens, which compose with nothing, so that an id neither begins nor ends with a mark or space. */
function id(text: string): string {
  return `-${text}-`
}
