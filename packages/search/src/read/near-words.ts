import type { TableIterator } from '../format/table.ts'
import type { Deadline } from './deadline.ts'
import { DistanceTable } from './edit-distance.ts'

/**
 * Calls `each`, in order, with the distance of every entry that is within `max` edits of `word` and has its first letter.
 * `terms` is positioned at the entry during the call. Stops early once the deadline has passed.
 */
export function eachNear(
  word: string,
  max: number,
  terms: TableIterator,
  deadline: Deadline,
  each: (distance: number) => void,
): void {
  const wanted = codePoints(word)
  const table = new DistanceTable(wanted, max)
  const letters = new Uint32Array(wanted.length + max + 1)
  let found = terms.seek(encoded(wanted.slice(0, 1)))
  while (found && !deadline.step()) {
    const length = lettersOf(terms, letters)
    if (letters[0] !== wanted[0]) return
    if (table.take(letters, length)) {
      if (table.distance <= max) each(table.distance)
      found = terms.next()
    } else {
      const next = table.next()
      found = next !== undefined && terms.advance(encoded(next))
    }
  }
}

function codePoints(text: string): number[] {
  return Array.from(text, (letter) => letter.codePointAt(0) as number)
}

/** Encodes code points as UTF-8. */
function encoded(letters: readonly number[]): Uint8Array {
  if (letters.every(isAscii)) return new Uint8Array(letters)
  const bytes: number[] = []
  for (const letter of letters) {
    if (isAscii(letter)) bytes.push(letter)
    else {
      let further = letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3
      bytes.push((0xff00 >> (further + 1)) | (letter >> (6 * further)))
      while (further-- > 0) bytes.push(0x80 | ((letter >> (6 * further)) & 0x3f))
    }
  }
  return new Uint8Array(bytes)
}

function isAscii(letter: number): boolean {
  return letter < 0x80
}

/** Decodes the first letters of a UTF-8 key, as many as fit into `letters`, and returns how many there are. */
function lettersOf({ key, keyLength }: TableIterator, letters: Uint32Array): number {
  let length = 0
  for (let at = 0; at < keyLength && length < letters.length; ) {
    const first = key[at++] as number
    let letter = first
    if (first >= 0x80) {
      let further = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1
      letter = first & (0x3f >> further)
      for (; further > 0; further--) letter = (letter << 6) | ((key[at++] as number) & 0x3f)
    }
    letters[length++] = letter
  }
  return length
}
