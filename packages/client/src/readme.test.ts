import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { isWorldError } from './error.ts'
import { DOCUMENT, failure, scriptedFetch } from './scripted-fetch.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the example of the README runs', async () => {
  const code = /```ts\n(.*?)```/s.exec(read('../README.md'))?.[1] ?? ''
  const europa = { type: 'sol:moon', id: 'europa', attributes: {} }
  const { fetch, sent } = scriptedFetch(
    DOCUMENT,
    europa,
    { entities: [europa] },
    { output: { entities: [europa], total: 1 } },
    failure(404, 'entity_not_found'),
  )
  const lines: unknown[] = []
  const body = code.replace(/^import .*$/m, '')
  const run = new Function('connect', 'isWorldError', 'console', `return (async () => {${body}})()`)
  await run((origin: string) => connect(origin, { fetch }), isWorldError, {
    log: (line: unknown) => lines.push(line),
  })
  assert.deepEqual(lines, ['europa'])
  assert.equal(sent.length, 5)
})

test("the README lists exactly the client's own error codes", () => {
  const type = /export type ClientErrorCode =(.*?)\n\n/s.exec(read('./error.ts'))?.[1] ?? ''
  const declared = [...type.matchAll(/['`](.+?)['`]/g)].map(([, code]) => code?.replace(/\$.*/, '<status>'))
  const listed = [...read('../README.md').matchAll(/^\| `([a-z_<>]+)` \|/gm)].map(([, code]) => code)
  assert.ok(declared.length > 10)
  assert.deepEqual(listed.toSorted(), declared.toSorted())
})
