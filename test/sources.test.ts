import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT, sourceFiles } from './source-files.ts'

const MAX_LINES = 300
const DECLARATION =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/

/** Minimum number of words: fewer only repeat the name. */
const MIN_WORDS = 5

/** Returns exported declarations without a doc comment of five words or more. */
function undocumented(text: string): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const name = DECLARATION.exec(line)?.[1]
    if (name === undefined) return []
    let above = index - 1
    while (/^\s*(?:\/\/|@)/.test(lines[above] ?? '')) above -= 1
    const overload = new RegExp(`^export (?:async )?function ${name}\\b`).test(lines[above] ?? '')
    return overload || wordsOf(docCommentEndingAt(lines, above)) >= MIN_WORDS ? [] : [name]
  })
}

/** Returns the doc comment that ends on this line; empty if none does. */
function docCommentEndingAt(lines: readonly string[], last: number): string {
  if (!/\*\/\s*$/.test(lines[last] ?? '')) return ''
  const first = lines.findLastIndex((line, index) => index <= last && /^\s*\/\*\*/.test(line))
  return lines.slice(first, last + 1).join('\n')
}

function wordsOf(comment: string): number {
  return comment.match(/[\p{L}\p{N}][^\s/*]*/gu)?.length ?? 0
}

test(`no source file has more than ${MAX_LINES} lines`, () => {
  const long = sourceFiles()
    .map((file) => [file.path, file.text.split('\n').length - 1] as const)
    .filter(([, lines]) => lines > MAX_LINES)
  assert.deepEqual(long, [])
})

test('every exported declaration has a doc comment that says more than its name', () => {
  const bare = sourceFiles().flatMap((file) => undocumented(file.text).map((name) => `${file.path}: ${name}`))
  assert.deepEqual(bare, [])
})

test('an undocumented export is noticed', () => {
  const text = [
    '/** Says what somebody may expect. */',
    'export const a = 1',
    'export const b = 2',
    '/** Makes the c of four. */',
    'export function c() {}',
    '/** Makes the writer. */',
    'export class Writer {}',
    '/**',
    ' * Two lines, and',
    ' * five words.',
    ' */',
    'export type T = 1',
  ]
  assert.deepEqual(undocumented(text.join('\n')), ['b', 'Writer'])
})

/** Maximum share of doc comments that begin with a question word. */
const MAX_ODD_SHARE = 0.03
/** First word of each doc comment. */
const OPENING = /\/\*\*[\s*]*([\p{L}’']+)/gu

function isQuestionWord(word: string): boolean {
  return /^(?:what|how|whether|where|which|who|whose|whom)$/i.test(word)
}

test('doc comments begin with a verb or a noun, hardly one with a question word', () => {
  const openings = sourceFiles().flatMap((file) =>
    [...file.text.matchAll(OPENING)].map(([, word = '']) => ({ path: file.path, word })),
  )
  const odd = openings.filter(({ word }) => isQuestionWord(word)).map(({ path, word }) => `${path}: ${word}`)
  assert.ok(openings.length > 5_000)
  assert.ok(odd.length <= MAX_ODD_SHARE * openings.length, odd.join('\n'))
})

test('a doc comment that begins with a question word is noticed', () => {
  const text = '/** How many. */ /**\n * What waits.\n */ /** Number of items. */ /** Whatever. */'
  const words = [...text.matchAll(OPENING)].map(([, word = '']) => word)
  assert.deepEqual(words.filter(isQuestionWord), ['How', 'What'])
})

test('no folder or file has a vague name', () => {
  const vague = /(?:^|\/)(?:utils?|common|shared|helpers?|managers?|services?)(?:\/|\.tsx?$)/
  assert.deepEqual(
    sourceFiles()
      .map((file) => file.path.replace(/^packages\/core\//, ''))
      .filter((path) => vague.test(path) || /(?:^|\/)core(?:\/|\.tsx?$)/.test(path)),
    [],
  )
})

test('the client never spells a path of the API', () => {
  const client = sourceFiles().filter((file) => file.path.startsWith('packages/client/src/') && !file.isTest)
  assert.ok(client.length > 3)
  assert.deepEqual(
    client.filter((file) => file.text.includes('/api/')).map((file) => file.path),
    [],
  )
})

test('the lock file names no host to download from', () => {
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  assert.doesNotMatch(lock, /"resolved": "https?:/)
})
