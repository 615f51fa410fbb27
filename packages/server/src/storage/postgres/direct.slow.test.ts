import { after, test } from 'node:test'
import type { Query, Storage } from '../contract.ts'
import { createMemoryStorage } from '../memory.ts'
import { SYNONYMS_KEY } from '../search-synonyms.ts'
import { describeStorage } from '../suite.ts'
import { openDirect } from './direct.ts'
import { startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())
let schemas = 0

/** As a cluster does: an index elsewhere is brought up to date by the log, and answers what needs one. */
function withIndexElsewhere(direct: Storage): Storage {
  const index = createMemoryStorage()
  let place: string | undefined
  const bringUpToDate = async () => {
    await index.setIndexRules(await direct.indexRules())
    const following = await index.follow()
    const fromBeginning = place === undefined
    for (;;) {
      const read = await direct.changes({ after: place, limit: 7 })
      await following.add(read.changes)
      place = read.next
      if (read.more) continue
      const { position, earliest, versions = new Map() } = read
      const metadata = { [SYNONYMS_KEY]: (await direct.metadata(SYNONYMS_KEY))?.value }
      return following.commit({ fromBeginning, position, earliest, versions, metadata })
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
  test('a store in PostgreSQL that is read directly', (t) =>
    t.skip('not run: this machine has no PostgreSQL'))
else
  describeStorage(
    'a store in PostgreSQL that is read directly',
    async ({ now }) => withIndexElsewhere(await openDirect(`${server.url}?schema=d${schemas++}`, { now })),
    { follows: false },
  )
