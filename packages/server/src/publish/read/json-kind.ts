/** Telling a JSON document from NDJSON by how a text begins. */
import { endOfString } from './json-spans.ts'

const NEWLINE = 0x0a
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Whether the first line is an object, faulty or not, and another one follows: NDJSON, whatever else comes. */
export function beginsWithRecord(head: Buffer): boolean {
  const { text, followed } = firstLineOf(head)
  return followed && text.startsWith('{') && text.endsWith('}')
}

/** Whether there is anything but white space after the first line that is not blank. */
export function hasSecondLine(head: Buffer): boolean {
  return firstLineOf(head).followed
}

/** Whether a text that begins so is one document. */
export function isDocument(head: Buffer): boolean {
  if (beginsWithRecord(head)) return false
  const text = head.toString('utf8').trimStart()
  return text.startsWith('[') || (text.startsWith('{') && !misplacesObject(text))
}

/** Whether a line begins with an object where a document has no place for one: the line before it is broken. */
function misplacesObject(text: string): boolean {
  const open: string[] = []
  let last = ''
  let isFresh = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string
    if (sign === '\n') isFresh = true
    if (' \t\r\n'.includes(sign)) continue
    if (sign === '{' && isFresh && !hasPlace(last, open.at(-1))) return true
    if (sign === '{' || sign === '[') open.push(sign)
    else if (sign === '}' || sign === ']') open.pop()
    // A string ends with its line; one that does not is broken.
    else if (sign === '"') at = Math.min(endOfString(text, at), endOfLine(text, at)) - 1
    last = sign
    isFresh = false
  }
  return false
}

/** Whether an object may come after a sign, within what is open there. */
function hasPlace(last: string, within: string | undefined): boolean {
  return last === '[' || last === ':' || (last === ',' && within === '[')
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** The first line that is not blank, and whether anything but white space comes after it. */
function firstLineOf(head: Buffer): { text: string; followed: boolean } {
  const start = skipBlank(head, head.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0)
  const end = head.indexOf(NEWLINE, start)
  if (end < 0) return { text: head.toString('utf8', start, start + 1), followed: false }
  return { text: head.toString('utf8', start, end).trimEnd(), followed: skipBlank(head, end) < head.length }
}

function skipBlank(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && ' \t\r\n'.includes(String.fromCharCode(bytes[at] ?? 0))) at++
  return at
}
