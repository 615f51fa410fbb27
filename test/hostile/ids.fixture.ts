/** Generates valid ids and types for property tests, by the grammar in decisions 2. */
import fc from 'fast-check'

/** Generates characters. Half of them are known to cause trouble, the others are arbitrary. */
const character = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.constantFrom(
    ...'%/\\?#&+ .:;=@~!\'"()[]{}<>|^`*,$-_0aZ',
    '\u00e9',
    '\u0301',
    '\ufeff',
    '\u{1f30d}',
    '\u200b',
  ),
)

/** Characters that ids must not contain: control characters, and the line and paragraph separators. */
const REFUSED = /\p{Cc}|[\u2028\u2029]/gu

/** Generates any valid id: 1 to 512 bytes in NFC, without the characters that the grammar excludes. */
export function anyId(): fc.Arbitrary<string> {
  return fc
    .array(character, { minLength: 1, maxLength: 200 })
    .map((characters) => withinBytes(characters.join('').replace(REFUSED, '').normalize('NFC')).trim())
    .map((text) => text.normalize('NFC'))
    .filter((text) => text !== '' && text.split(/[/\\]/).every((segment) => !/^\.{1,2}$/.test(segment)))
}

/** Returns the longest prefix of a text that takes at most 512 bytes. */
function withinBytes(text: string): string {
  let kept = ''
  for (const one of text) {
    if (Buffer.byteLength(kept + one) > 512) break
    kept += one
  }
  return kept
}

/** Generates ids of maximum length that repeat a single character, which often needs escaping. */
export function longId(): fc.Arbitrary<string> {
  return fc
    .constantFrom('%', '/', '\u00e9', '\u706b', '\u{1f30d}', 'a', '\u{10ffff}')
    .map((one) => one.repeat(Math.floor(512 / Buffer.byteLength(one))))
}

/** Generates any valid type: `prefix:name` in ASCII, with at most 128 characters. */
export function anyType(): fc.Arbitrary<string> {
  return fc.stringMatching(
    /^[a-z][a-z0-9]{0,9}([.-][a-z0-9]{1,9}){0,3}:[A-Za-z][A-Za-z0-9]{0,9}([._-][A-Za-z0-9]{1,9}){0,3}$/,
  )
}
