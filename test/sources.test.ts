import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT, sourceFiles } from './source-files.ts'

const MAX_LINES = 300
const DECLARATION =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/

/** Exported declarations of a text that no doc comment stands before. */
function undocumented(text: string): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const name = DECLARATION.exec(line)?.[1]
    if (name === undefined) return []
    let above = index - 1
    while (/^\s*(?:\/\/|@)/.test(lines[above] ?? '')) above -= 1
    const documented = /\*\/\s*$/.test(lines[above] ?? '')
    const overload = new RegExp(`^export (?:async )?function ${name}\\b`).test(lines[above] ?? '')
    return documented || overload ? [] : [name]
  })
}

test(`no source file has more than ${MAX_LINES} lines`, () => {
  const long = sourceFiles()
    .map((file) => [file.path, file.text.split('\n').length - 1] as const)
    .filter(([, lines]) => lines > MAX_LINES)
  assert.deepEqual(long, [])
})

test('every exported declaration has a doc comment', () => {
  const bare = sourceFiles().flatMap((file) => undocumented(file.text).map((name) => `${file.path}: ${name}`))
  assert.deepEqual(bare, [])
})

test('an undocumented export is noticed', () => {
  assert.deepEqual(undocumented('/** Says. */\nexport const a = 1\nexport const b = 2\n'), ['b'])
})

test('no folder or file is named after a lack of ideas', () => {
  const vague = /(?:^|\/)(?:utils?|common|core|shared|helpers?|managers?|services?)(?:\/|\.tsx?$)/
  assert.deepEqual(
    sourceFiles().filter((file) => vague.test(file.path)),
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
