/**
 * Prints the table of `text/han-variants.ts` from Unicode's Unihan database:
 * `node test/programs/han-variants.ts Unihan_Variants.txt Unihan_OtherMappings.txt`.
 */
import { readFileSync } from 'node:fs'

const [variants = '', mappings = ''] = process.argv.slice(2)
/** First character of the common block of Han characters. Characters outside the block have no entry. */
const FIRST = 0x4e00
const LAST = 0x9fff
/** Number of pairs per line of the table. */
const LINE = 48

const forms = new Map<number, number>()

function note(from: number, to: number): void {
  const inUse = [from, to].every((code) => code >= FIRST && code <= LAST)
  if (inUse && !forms.has(from) && last(to) !== from) forms.set(from, to)
}

function last(code: number): number {
  return forms.has(code) ? last(forms.get(code) as number) : code
}

for (const [code, field, value] of rowsOf(variants)) {
  // A character listed among its own simplified variants is simplified only in some meanings, so leave it.
  const targets = codesOf(value)
  if (field === 'kSimplifiedVariant' && !targets.includes(code)) note(code, targets[0] ?? code)
}
// Map new Japanese forms to the simplified forms of their traditional counterparts.
for (const [old, field, value] of rowsOf(mappings)) {
  if (field !== 'kJinmeiyoKanji') continue
  for (const form of codesOf(value)) {
    const simplified = forms.get(old)
    if (simplified === undefined) note(old, form)
    else note(form, simplified)
  }
}
const pairs = [...forms].sort(([left], [right]) => left - right)
const texts = pairs.map(([from, to]) => String.fromCodePoint(from, last(to)))
for (let at = 0; at < texts.length; at += LINE)
  process.stdout.write(`  '${texts.slice(at, at + LINE).join('')}' +\n`)

function* rowsOf(file: string): Generator<[number, string, string]> {
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [code = '', field = '', value = ''] = line.split('\t')
    if (code.startsWith('U+')) yield [Number.parseInt(code.slice(2), 16), field, value]
  }
}

function codesOf(value: string): number[] {
  return [...value.matchAll(/U\+([0-9A-F]+)/g)].map(([, code]) => Number.parseInt(code as string, 16))
}
