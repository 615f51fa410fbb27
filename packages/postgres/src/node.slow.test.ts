import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { describeStore } from '../../core/src/store/suite.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { openNode } from './node.ts'
import { NO_POSTGRES, startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())

if (server === undefined)
  test('all tests of packages/postgres/src/node.slow.test.ts', (t) => t.skip(NO_POSTGRES))
else {
  let schemas = 0
  describeStore(
    'a node of a store in PostgreSQL',
    async ({ now, after }) => {
      const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
      after(() => rm(folder, { recursive: true }))
      const replica = openSqliteStore(join(folder, 'copy.db'), { now })
      return openNode(`${server.url}?schema=s${schemas++}`, { replica, now, appliedMs: 60_000 })
    },
    { follows: false },
  )
}
