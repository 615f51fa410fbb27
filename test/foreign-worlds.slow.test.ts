/** Worlds that others might write, read directly by their own member names, and by our client without knowing the names. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runWith } from '../packages/cli/src/memory-io.fixture.ts'
import { mirrorIn } from '../packages/cli/src/mirror/mirror.fixture.ts'
import { answering, FOREIGN_WORLDS, type ForeignWorld, missing, startForeignWorld } from './foreign-worlds.ts'
import { reasonToSkip } from './missing.ts'

interface Names {
  list(body: Json): Json[]
  cursor(body: Json): string | null | undefined | false
  id(entity: Json): string
  title(entity: Json): string
  entity(body: Json): Json
  hits(body: Json): Json[]
  fault(body: Json): { code: unknown; message: unknown }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of foreign worlds are read by their own member names.
type Json = any

const NAMES: Record<ForeignWorld['name'], Names> = {
  python: {
    list: (body) => body.members,
    cursor: (body) => body.next,
    id: (entity) => String(entity.number),
    title: (entity) => entity.name,
    entity: (body) => body,
    hits: (body) => body.result.members,
    fault: (body) => body.error,
  },
  go: {
    list: (body) => body.page.data,
    cursor: (body) => body.page.nextPageToken,
    id: (entity) => entity.entityId,
    title: (entity) => entity.displayName,
    entity: (body) => body.item,
    hits: (body) => body.found,
    fault: (body) => body.errors[0],
  },
  java: {
    list: (body) => body.results,
    cursor: (body) => body.after,
    id: (entity) => entity.slug,
    title: (entity) => entity.label,
    entity: (body) => body,
    hits: (body) => body.output.hits.map((hit: Json) => hit.entity),
    fault: (body) => body,
  },
  rust: {
    list: (body) => body.bodies,
    cursor: (body) => body.continuation,
    id: (entity) => entity.key,
    title: (entity) => entity.name,
    entity: ([entity]) => entity,
    hits: (body) => body.matches.map((hit: Json) => hit.match),
    fault: (body) => body,
  },
  static: {
    list: (body) => body.data,
    cursor: (body) => body.cursor,
    id: (entity) => entity.symbol,
    title: (entity) => entity.heading,
    entity: (body) => body,
    hits: (body) => body.outcome.map(([entity]: Json) => entity),
    fault: (body) => body,
  },
}

describe('a world written from the text alone', { concurrency: 2 }, () => {
  for (const world of FOREIGN_WORLDS) {
    const lacking = missing(world)
    const skip = reasonToSkip(lacking === undefined, lacking ?? '')
    test(`${world.name}: conforms, and can be read by hand and with commands`, { skip }, async (t) => {
      const { origin, stop } = await startForeignWorld(world)
      t.after(stop)
      await answering(origin)
      await readByHand(origin, world)
      await readWithCommands(origin, world)
      await mirrored(origin, world)
      await judged(origin)
    })
  }
})

async function readByHand(origin: string, { name, types, example }: ForeignWorld): Promise<void> {
  const names = NAMES[name]
  const document = (await asked(`${origin}/.well-known/world.json`)).body
  assert.equal(document.protocol, 'world/0.1')
  const api = document.endpoints.api.replace(/\/?$/, '/')
  for (const [type, count] of Object.entries(types)) {
    for (const limit of [1, 2, 50]) {
      const ids: string[] = []
      let cursor: string | null | undefined | false
      do {
        const next = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
        const { body } = await asked(`${api}entities/${encodeURIComponent(type)}?limit=${limit}${next}`)
        assert.ok(names.list(body).length <= limit)
        ids.push(...names.list(body).map(names.id))
        cursor = names.cursor(body)
      } while (cursor)
      assert.deepEqual([ids.length, new Set(ids).size], [count, count])
    }
  }
  const [type, id, title] = example
  const path = `${api}entities/${encodeURIComponent(type)}`
  const entity = names.entity((await asked(`${path}/${encodeURIComponent(id)}`)).body)
  assert.deepEqual([names.id(entity), names.title(entity)], [id, title])
  const discover = async (input: object) =>
    names.hits((await asked(`${api}actions/wp%3Adiscover`, { input })).body)
  assert.deepEqual((await discover({ text: title })).map(names.title), [title])
  assert.equal(
    (await discover({ text: title, types: Object.keys(types).filter((one) => one !== type) })).length,
    0,
  )
  assert.equal((await discover({ limit: 3 })).length, 3)
  for (const wrong of [
    `${path}/none`,
    `${path}?limit=-1`,
    `${path}?cursor=none`,
    `${api}nothing`,
    `${api}entities/no%3Atype`,
  ]) {
    const { status, body } = await asked(wrong)
    const { code, message } = names.fault(body)
    assert.ok(status >= 400 && status < 500 && ['string', 'number'].includes(typeof code) && message, wrong)
  }
}

/** Runs every command that reads a world, without giving the world's member names. */
async function readWithCommands(origin: string, { name, types, example }: ForeignWorld): Promise<void> {
  const [type, id, title] = example
  const shown = await said('show', origin)
  for (const one of [...Object.keys(types), 'wp:discover']) assert.match(shown, new RegExp(`^${one}\\b`, 'm'))
  for (const [one, count] of Object.entries(types)) {
    const lines = (await said('list', origin, one, '--all', '--json')).trim().split('\n')
    assert.equal(new Set(lines.map((line) => NAMES[name].id(JSON.parse(line)))).size, count)
  }
  assert.match(await said('list', origin, type, '--limit', '3'), /^ID +TITLE\n(\S+ +\S.*\n){3}/)
  assert.match(
    await said('get', origin, type, id),
    new RegExp(`^type +${type}\nid +${id}\ntitle +${title}$`, 'm'),
  )
  assert.match(await said('discover', origin, title), new RegExp(`^${type} +${id} +${title}$`, 'm'))
  assert.match(await said('types', origin), new RegExp(`"${type}"`))
}

/** Mirrors a world, and compares its entities with those that the world declares. */
async function mirrored(origin: string, { types, example }: ForeignWorld): Promise<void> {
  const [type, id, title] = example
  const cwd = await mkdtemp(join(tmpdir(), 'worldwright-mirror-'))
  try {
    const { code, err } = await runWith(['mirror', origin, 'copy'], { cwd })
    assert.equal(code, 0, err)
    const { manifest, entities } = await mirrorIn(join(cwd, 'copy'))
    const counts = Object.entries<{ entities: number }>(manifest.types).map(([one, { entities }]) => [
      one,
      entities,
    ])
    assert.deepEqual(Object.fromEntries(counts), types)
    const one = entities
      .map((line) => JSON.parse(line))
      .find((entity) => entity.type === type && entity.id === id)
    assert.equal(one?.title, title)
  } finally {
    await rm(cwd, { recursive: true })
  }
}

async function said(...argv: readonly string[]): Promise<string> {
  const { code, out, err } = await runWith(argv)
  assert.equal(code, 0, `${argv.join(' ')}: ${err}`)
  assert.doesNotMatch(out + err, /not recognised|undefined|\[object/)
  return out
}

/** Asserts that the conformance kit finds no fault and could ask every check. */
async function judged(origin: string): Promise<void> {
  const { code, out } = await runWith(['check', origin, '--profile', 'level-1', '--strict'])
  assert.equal(code, 0, out)
  assert.match(out, /\n\d+ passed(, \d+ passed with a warning)?, 0 failed, 0 not asked/)
}

async function asked(url: string, body?: object): Promise<{ status: number; body: Json }> {
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  return { status: response.status, body: await response.json() }
}
