import { after, test } from 'node:test'
import { SYNONYMS_KEY } from '@worldwright/core/store'
import type { Query, Store } from '../../core/src/store/contract.ts'
import { beginToFollow } from '../../core/src/store/followed.ts'
import { indexRules, setIndexRules } from '../../core/src/store/index-rules.ts'
import { createMemoryStore } from '../../core/src/store/memory.ts'
import { describeStore } from '../../core/src/store/suite.ts'
import { namedValue } from '../../core/src/store/values.ts'
import { memorySearch } from '../../search/src/entities/memory-search.ts'
import { openDirect } from './direct.ts'
import { NO_POSTGRES, startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())
let schemas = 0

/** Wraps a store so that a separate index, which follows its change log, answers queries as a search cluster would. */
function withIndexElsewhere(direct: Store): Store {
  const index = createMemoryStore({ search: memorySearch })
  let place: string | undefined
  const bringUpToDate = async () => {
    await setIndexRules(index, await indexRules(direct))
    const following = await beginToFollow(index)
    const fromBeginning = place === undefined
    for (;;) {
      const read = await direct.changes({ after: place, limit: 7 })
      await following.add(read.changes)
      place = read.next
      if (read.more) continue
      const { position, earliest, versions = new Map() } = read
      const metadata = { [SYNONYMS_KEY]: (await namedValue(direct, SYNONYMS_KEY))?.value }
      return following.commit({ fromBeginning, position, earliest, versions, values: metadata })
    }
  }
  return {
    ...direct,
    async find(query: Query) {
      try {
        return await direct.find(query)
      } catch (error) {
        if ((error as { code?: string }).code !== 'unsupported') throw error
        await bringUpToDate()
        return index.find(query)
      }
    },
  }
}

if (server === undefined)
  test('all tests of packages/postgres/src/direct.slow.test.ts', (t) => t.skip(NO_POSTGRES))
else
  describeStore(
    'a store in PostgreSQL without a local replica',
    async ({ now }) => withIndexElsewhere(await openDirect(`${server.url}?schema=d${schemas++}`, { now })),
    { follows: false },
  )
