import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../../../test/rounds.ts'
import { isWorldError } from '../error.ts'
import { type AnyWorld, answering, anyWorld, CURSORS } from './any-world.fixture.ts'
import { connect } from './foreign.ts'

/** Returns the numbers of the entities that a walk yields, or its error code if it fails. Each id must lead to its entity. */
async function walked(world: AnyWorld, pageSize: number | undefined): Promise<number[] | string> {
  const fetch = answering(pageSize === 1 || world.page === 1 ? { ...world, unknown: 'error' } : world)
  const client = await connect('https://any.example', { fetch, retries: 0 })
  const read: number[] = []
  try {
    for await (const { id, attributes } of client.entities(world.type, { pageSize })) {
      const number = Number(attributes['size']) - 0.25
      const path = [world.type, id].map(encodeURIComponent).join('/')
      const single = await (await fetch(`https://any.example/api/entities/${path}`)).text()
      assert.match(single, new RegExp(`"size":${number}.25,`), id)
      read.push(number)
    }
    return read
  } catch (error) {
    if (isWorldError(error)) return error.code
    throw error
  }
}

/** Matches names that say something else of a list, so that the client takes no member with such a name for a cursor. */
const OTHERWISE = /^header|prev|before|(first|last|self|limit|total|size|count|type|kind|version)$/i

const all = ({ size }: AnyWorld) => Array.from({ length: size }, (_, number) => number)
const sizes = fc.option(fc.constantFrom(1, 2, 7, 50), { nil: undefined })

test('a walk of any world is complete or fails, and every id that it yields leads to its entity', async () => {
  const walks = rounds(300, 2_000)
  let complete = 0
  let failed = 0
  const property = fc.asyncProperty(anyWorld(), sizes, async (any, pageSize) => {
    const result = await walked(any, pageSize)
    if (typeof result === 'string') {
      assert.match(result, /^(invalid_response|invalid_cursor|pagination_loop)$/)
      failed += 1
    } else {
      // A world that ignores or refuses limits and has no cursor, or calls it a total, always returns the same entities.
      const isBody = any.carrier === 'member' || any.carrier === 'url'
      const isHidden = isBody && (any.list.length === 0 || OTHERWISE.test(any.cursor?.at(-1) ?? ''))
      const isMute = any.limit !== 'kept' && (any.cursor === undefined || isHidden)
      const isTold = any.total && !any.isPageTotal && any.list.length > 0
      const given = isMute && !isTold ? Math.min(any.size, any.page, any.most) : any.size
      assert.deepEqual(result, all(any).slice(0, given))
      complete += 1
    }
  })
  await fc.assert(property, { numRuns: walks })
  assert.ok(complete > walks / 2 && failed > walks / 50, `${complete} complete, ${failed} failed`)
})

test('a walk of a world with a known cursor name is complete', async () => {
  const known = anyWorld(fc.constantFrom(...CURSORS)).filter(
    ({ cursor, list, noise }) => cursor !== undefined && list.length > 0 && Object.keys(noise).length === 0,
  )
  const property = fc.asyncProperty(known, sizes, async (any, pageSize) => {
    assert.deepEqual(await walked(any, pageSize), all(any))
  })
  await fc.assert(property, { numRuns: rounds(150, 800) })
})

test('entities of any world are read whole', async () => {
  const property = fc.asyncProperty(anyWorld(), async (any) => {
    const world = await connect('https://any.example', { fetch: answering(any), retries: 0 })
    const { entities } = await world.list(any.type)
    for (const listed of entities.slice(-2))
      for (const { type, title, attributes } of [listed, await world.get(any.type, listed.id)]) {
        const number = Number(attributes['size']) - 0.25
        assert.deepEqual([type, title], [any.type, `Thing ${number}`])
        assert.deepEqual(attributes['note'], { big: 9007199254740991 - number })
      }
  })
  await fc.assert(property, { numRuns: rounds(100, 800) })
})
