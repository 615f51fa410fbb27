import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../../../test/rounds.ts'
import { isWorldError } from '../error.ts'
import { type AnyWorld, answering, anyWorld, CURSORS } from './any-world.fixture.ts'
import { connect } from './foreign.ts'

/** Returns the ids that a walk yields, or its error code if it fails. */
async function walked(any: AnyWorld, pageSize: number | undefined): Promise<string[] | string> {
  const world = await connect('https://any.example', { fetch: answering(any), retries: 0 })
  const ids: string[] = []
  try {
    for await (const { id } of world.entities('any:thing', { pageSize })) ids.push(id)
    return ids
  } catch (error) {
    if (isWorldError(error)) return error.code
    throw error
  }
}

const all = ({ size }: AnyWorld) => Array.from({ length: size }, (_, number) => `e${number}`)
const sizes = fc.option(fc.constantFrom(1, 2, 7, 50), { nil: undefined })

test('a walk of any world is complete or fails', async () => {
  const walks = rounds(300, 2_000)
  let complete = 0
  let failed = 0
  const property = fc.asyncProperty(anyWorld(), sizes, async (any, pageSize) => {
    const result = await walked(any, pageSize)
    if (typeof result === 'string') {
      assert.match(result, /^(invalid_response|invalid_cursor|pagination_loop)$/)
      failed += 1
    } else {
      // A world that has no cursor and ignores or refuses limits always returns the same entities.
      const isMute = any.limit !== 'kept' && (any.cursor === undefined || any.list.length === 0)
      const given = Math.min(
        any.size,
        isMute && !(any.total && any.list.length > 0) ? Math.min(any.page, any.most) : any.size,
      )
      assert.deepEqual(result, all(any).slice(0, given))
      complete += 1
    }
  })
  await fc.assert(property, { numRuns: walks })
  assert.ok(complete > walks / 10 && failed > walks / 10, `${complete} complete, ${failed} failed`)
})

test('a walk of a world with a known cursor name is complete', async () => {
  const known = anyWorld(fc.constantFrom(...CURSORS)).filter(
    ({ cursor, list, noise }) => cursor !== undefined && list.length > 0 && Object.keys(noise).length === 0,
  )
  const property = fc.asyncProperty(known, sizes, async (any, pageSize) => {
    assert.deepEqual(await walked(any, pageSize), all(any))
  })
  await fc.assert(property, { numRuns: rounds(150, 1_000) })
})
