import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { runWith } from '../memory-io.fixture.ts'

const CHANGES = 'https://sol.example/api/world/v0/changes'

const schema = { type: 'object', properties: { mass: { type: 'number' } } }

/** Creates a world that publishes its changes. `token` returns the offset at the end of the change log. */
async function changingWorld() {
  const store = createMemoryStore()
  const description = { id: 'urn:example:sol', types: [{ type: 'sol:moon', schema }, { type: 'sol:star' }] }
  const answer = toFetch(
    createWorld({
      ...description,
      store,
      publicUrl: 'https://sol.example',
      extensions: [changes()],
    }),
  )
  const fetch: typeof globalThis.fetch = async (input, init) => answer(new Request(input, init))
  const put = (type: string, id: string, attributes = {}) => store.write([{ put: { type, id, attributes } }])
  const remove = (type: string, id: string) => store.write([{ delete: { type, id } }])
  const token = async (query = ''): Promise<string> => {
    const response = await fetch(`${CHANGES}?since=now&${query}`)
    return JSON.parse(await response.text()).next
  }
  return { fetch, put, remove, token }
}

/** Runs `world watch` and interrupts it after `lines` lines of output. */
async function watched(lines: number, argv: string[], fetch: typeof globalThis.fetch, onStart = () => {}) {
  const ending = new AbortController()
  let out = ''
  const stdout = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      out += chunk
      if (out.split('\n').length > lines) ending.abort()
      done()
    },
  })
  const ran = runWith(['watch', 'sol.example', ...argv], { fetch, stdout, signal: ending.signal })
  onStart()
  const { code, err } = await ran
  return { code, err, lines: out.split('\n').slice(0, -1) }
}

test('watch prints the changes since an offset and exits with 0 if interrupted', async () => {
  const { fetch, put, remove, token } = await changingWorld()
  await put('sol:moon', 'vulcan')
  const since = await token()
  await put('sol:moon', 'io\u001b[2J')
  await remove('sol:moon', 'vulcan')
  const { code, lines, err } = await watched(2, ['--since', since], fetch)
  assert.deepEqual([code, lines], [0, ['put     sol:moon  io\\u001b[2J', 'delete  sol:moon  vulcan']])
  assert.match(err, /^Watching https:\/\/sol\.example\. Ctrl-C ends it\.\nTo go on from here: --since \S+\n$/)
})

test('watch filters changes by type and can resume from its JSON output', async () => {
  const { fetch, put, token } = await changingWorld()
  const since = await token('types=sol:moon')
  await put('sol:moon', 'io')
  await put('sol:star', 'sun')
  await put('sol:moon', 'europa')
  const argv = ['--json', '--type', 'sol:moon', '--since']
  const first = await watched(1, [...argv, since], fetch)
  const change = JSON.parse(first.lines[0] ?? '')
  assert.deepEqual([change.op, change.type, change.id], ['put', 'sol:moon', 'io'])
  assert.equal(first.err, '')
  const second = await watched(1, [...argv, change.next], fetch)
  assert.equal(JSON.parse(second.lines[0] ?? '').id, 'europa')
})

test('watch prints only new changes if no offset is given', async () => {
  const { fetch, put } = await changingWorld()
  await put('sol:moon', 'old')
  let isRunning = true
  const keepWriting = async () => {
    for (let n = 0; isRunning; n++) {
      await put('sol:moon', `new-${n}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  let writing: Promise<void> | undefined
  const { lines } = await watched(1, [], fetch, () => {
    writing = keepWriting()
  })
  isRunning = false
  await writing
  assert.match(lines[0] ?? '', /^put {5}sol:moon {2}new-\d+$/)
})

test('watch fails if a world publishes no changes or the offset has expired', async () => {
  const store = createMemoryStore()
  const answer = toFetch(createWorld({ id: 'urn:x:sol', types: [], store, publicUrl: 'https://sol.example' }))
  const silent: typeof globalThis.fetch = async (input, init) => answer(new Request(input, init))
  const none = await watched(1, ['--json'], silent)
  assert.equal(none.code, 1)
  assert.equal(JSON.parse(none.err.trimEnd().split('\n').at(-1) ?? '').code, 'unsupported_extension')
  const { fetch } = await changingWorld()
  const other = await changingWorld()
  const expired = await watched(1, ['--since', await other.token()], fetch)
  assert.equal(expired.code, 1)
  assert.match(expired.err, /Start again without --since/)
})

test('with a condition, watch prints what matches and what leaves', async () => {
  const { fetch, put, remove, token } = await changingWorld()
  await put('sol:moon', 'vulcan', { mass: 5 })
  const since = await token('types=sol:moon')
  await put('sol:moon', 'io', { mass: 5 })
  await put('sol:moon', 'ymir', { mass: 1 })
  await remove('sol:moon', 'vulcan')
  const flags = ['--type', 'sol:moon', '--where', 'mass > 2', '--since', since]
  const { lines } = await watched(3, flags, fetch)
  assert.deepEqual(lines, ['put     sol:moon  io', 'leave   sol:moon  ymir', 'leave   sol:moon  vulcan'])
  const faulty = await watched(1, ['--where', 'mass >'], fetch)
  assert.equal(faulty.code, 2)
  assert.match(faulty.err, /mass >\nerror: +\^/)
})
