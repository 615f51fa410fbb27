import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT, sourceFiles } from './source-files.ts'

const MAX_LINES = 300
const DECLARATION =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/

/** Minimum number of words in a doc comment. A shorter one is likely only to repeat the name. */
const MIN_WORDS = 5

/** Returns the exported declarations that lack a doc comment of at least five words. */
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

/** Returns the doc comment that ends on the line `last`, or an empty string if there is none. */
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

test('every exported declaration has a doc comment of at least five words', () => {
  const bare = sourceFiles().flatMap((file) => undocumented(file.text).map((name) => `${file.path}: ${name}`))
  assert.deepEqual(bare, [])
})

test('the check detects an export without a doc comment', () => {
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

/** Maximum share of doc comments that may begin with a question word. */
const MAX_ODD_SHARE = 0.03
/** Matches the first word of each doc comment. */
const OPENING = /\/\*\*[\s*]*([\p{L}’']+)/gu

function isQuestionWord(word: string): boolean {
  return /^(?:what|how|whether|where|which|who|whose|whom)$/i.test(word)
}

test('at most three percent of doc comments begin with a question word', () => {
  const openings = sourceFiles().flatMap((file) =>
    [...file.text.matchAll(OPENING)].map(([, word = '']) => ({ path: file.path, word })),
  )
  const odd = openings.filter(({ word }) => isQuestionWord(word)).map(({ path, word }) => `${path}: ${word}`)
  assert.ok(openings.length > 5_000)
  assert.ok(odd.length <= MAX_ODD_SHARE * openings.length, odd.join('\n'))
})

test('the check detects a doc comment that begins with a question word', () => {
  const text = '/** How many. */ /**\n * What waits.\n */ /** Number of items. */ /** Whatever. */'
  const words = [...text.matchAll(OPENING)].map(([, word = '']) => word)
  assert.deepEqual(words.filter(isQuestionWord), ['How', 'What'])
})

/** Words that the glossary has replaced, and the files in which they must no longer be used. */
const REPLACED = [
  {
    in: /^(?!test\/sources)/,
    word: /storage/i,
    kept: /^(?:(?:AsyncLocal|local|session)Storage|AsyncLocalStorageContextManager|tstorage)$/,
    by: 'store',
  },
  {
    in: /^packages\/(?:core\/src\/store|extensions\/src\/(?:changes|replica))\//,
    word: /^#?places?(?:[A-Z]|$)|Place/,
    kept: undefined,
    by: 'offset',
  },
  {
    in: /^packages\/(?:extensions\/src\/replica|postgres\/src|serve\/src\/runtime)\//,
    word: /cop(?:y|ies)/i,
    kept: /^(?:COPY|copy|Copying)$/,
    by: 'replica',
  },
  {
    in: /^packages\/(?:core|engines|extensions|node|postgres|serve|sqlite)\/src\//,
    word: /owner/i,
    kept: /^(?:not_the_owner|owner|runAsOwner|OWNER(?:_ALONE)?)$/,
    by: 'primary, upstream or writer',
  },
]

/** Returns the identifiers in a source text that contain a replaced word. */
function replacedNames(path: string, text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|storage engine/g, ' ')
  const names = new Set(code.match(/[\p{L}$_][\p{L}\p{N}$_]*/gu))
  return REPLACED.filter((replaced) => replaced.in.test(path)).flatMap(({ word, kept, by }) =>
    [...names]
      .filter((name) => word.test(name) && !kept?.test(name))
      .map((name) => `${path}: ${name}: ${by}`),
  )
}

test('no identifier contains a word that the glossary has replaced', () => {
  assert.deepEqual(
    sourceFiles().flatMap(({ path, text }) => replacedNames(path, text)),
    [],
  )
})

test('the check detects an identifier with a replaced word', () => {
  const path = 'packages/serve/src/runtime/x.ts'
  assert.deepEqual(replacedNames(path, 'const copyState = myStorage // storage\nlocalStorage'), [
    `${path}: myStorage: store`,
    `${path}: copyState: replica`,
  ])
})

test('no folder and no file has a vague name', () => {
  const vague = /(?:^|\/)(?:utils?|common|shared|helpers?|managers?|services?)(?:\/|\.tsx?$)/
  assert.deepEqual(
    sourceFiles()
      .map((file) => file.path.replace(/^packages\/core\//, ''))
      .filter((path) => vague.test(path) || /(?:^|\/)core(?:\/|\.tsx?$)/.test(path)),
    [],
  )
})

test('the client contains no literal API path', () => {
  const client = sourceFiles().filter((file) => file.path.startsWith('packages/client/src/') && !file.isTest)
  assert.ok(client.length > 3)
  assert.deepEqual(
    client.filter((file) => file.text.includes('/api/')).map((file) => file.path),
    [],
  )
})

test('the lock file contains no download URL', () => {
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  assert.doesNotMatch(lock, /"resolved": "https?:/)
})
