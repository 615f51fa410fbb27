import { commonForm } from './han-variants.ts'

/**
 * Marks that people omit and that folding therefore drops: Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowel
 * signs and hamzas, the tatweel, the nukta, soft hyphens and joiners. Vowel signs of other scripts are kept like letters.
 */
const IGNORED = new RegExp(
  `[${[
    '\\u0300-\\u036f\\u0483-\\u0487\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff',
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7',
    '\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06ed',
    '\\u093c\\u09bc\\u0a3c\\u0abc\\u0b3c',
    '\\u00ad\\u200b-\\u200f\\u2060\\ufe00-\\ufe0f\\ufeff',
  ].join('')}]`,
  'g',
)

/** Letters that NFKD does not decompose, with the plain letters that people write instead. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
  þ: 'th',
  ə: 'e',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
}
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them.
const ASCII = /^[\u0000-\u007f]*$/
/** Parts of Hangul syllables and voiced kana, which are composed again after NFKD. */
const DECOMPOSED = /[\u1100-\u11ff\u3099\u309a]/

/** Katakana, Chinese characters, and the long vowel mark at the end of a word, which is often omitted. */
const KANA_AND_HAN = /[\u30a1-\u30f6\u4e00-\u9fff]|\u30fc+(?![\u3041-\u3096\u30a1-\u30f6\u30fc])/g
const EAST_ASIAN = /[\u3041-\u9fff]/
const LONG_VOWEL = '\u30fc'
/** Difference between the code points of a katakana and the hiragana with the same sound. */
const HIRAGANA = 0x60

/**
 * Returns the folded form of `text`: NFKD, lower case, without optional marks, with katakana as hiragana and Chinese
 * characters in their common form. Folding is idempotent.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(IGNORED, '')
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter)
  const composed = DECOMPOSED.test(folded) ? folded.normalize('NFC') : folded
  return EAST_ASIAN.test(composed) ? composed.replace(KANA_AND_HAN, plainCharacter) : composed
}

function plainCharacter(character: string): string {
  if (character.startsWith(LONG_VOWEL)) return ''
  const code = character.charCodeAt(0)
  return code < 0x4e00 ? String.fromCharCode(code - HIRAGANA) : commonForm(character)
}
