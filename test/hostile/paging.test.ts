import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@worldwright/client'
import { createWorld, toFetch } from '@worldwright/core'
import { rounds } from '../rounds.ts'
import { createChurn, hardIds, randomFrom } from './paging.fixture.ts'
import { DESCRIPTION, ORIGIN, stores } from './served.fixture.ts'

const WALKS = rounds(200, 1_100)
const AT_ONCE = 25
/** Maximum number of pages; a longer walk is considered endless. */
const MAX_PAGES = 2_000

test('a walk during writes returns ids in order, and each id that is not written exactly once', async (t) => {
  const seed = Date.now() % 1_000_000
  for (const [name, store] of await stores(t)) {
    const random = randomFrom(seed)
    const churn = createChurn(store, hardIds(160), random)
    await churn.begin()
    const handler = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN })
    const world = await connect(ORIGIN, { fetch: toFetch(handler) })
    let walks = 0
    let pages = 0
    let full = 0

    /** Walks the list with a random limit per page, and writes every few pages, often at the current end of the walk. */
    const walk = async (): Promise<void> => {
      const watch = churn.watch()
      const came: string[] = []
      let cursor: string | undefined
      for (let asked = 0; ; asked += 1) {
        assert.ok(asked < MAX_PAGES, `a walk without end (seed ${seed})`)
        const limit = 1 + random(random(3) === 0 ? 4 : 60)
        const page = await world.list('sol:moon', { limit, cursor })
        pages += 1
        assert.ok(page.entities.length <= limit)
        came.push(...page.entities.map(({ id }) => id))
        cursor = page.nextCursor
        if (cursor === undefined) break
        assert.ok(page.entities.length > 0, 'a page that is empty and not the last')
        const chance = random(8)
        if (chance === 0) await churn.write()
        else if (chance === 1) await churn.write(came.at(-1))
      }
      assert.deepEqual(watch.faults(came), [], `${name}, seed ${seed}`)
      walks += 1
      full += came.length
    }

    const walker = async (): Promise<void> => {
      while (walks < WALKS) await walk()
    }
    await Promise.all(Array.from({ length: AT_ONCE }, walker))
    assert.ok(
      walks >= WALKS && pages > 3 * walks && churn.writes() > WALKS * 0.9,
      `${walks} ${pages} ${churn.writes()}`,
    )
    assert.ok(full / walks > 40, `${full / walks} entities a walk`)
  }
})

test('the total of a page is consistent with its rows', async (t) => {
  for (const [name, store] of await stores(t)) {
    const random = randomFrom(7)
    const ids = hardIds(40)
    const churn = createChurn(store, ids, random)
    await churn.begin()
    const handler = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN })
    const world = await connect(ORIGIN, { fetch: toFetch(handler) })
    for (let round = 0; round < rounds(30, 100); round += 1) {
      const [page] = await Promise.all([world.list('sol:moon', { limit: 200 }), churn.write()])
      assert.equal(page.total, page.entities.length, name)
      assert.equal(page.nextCursor, undefined)
    }
  }
})
