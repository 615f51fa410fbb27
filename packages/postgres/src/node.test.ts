import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { describeStore } from '../../core/src/store/suite.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { openNode } from './node.ts'
import { startPostgres } from './server.fixture.ts'

const server = await startPostgres()
after(() => server?.end())

if (server === undefined)
  test('a node of a store in PostgreSQL', (t) => t.skip('not run: this machine has no PostgreSQL'))
else {
  let schemas = 0
  describeStore(
    'a node of a store in PostgreSQL',
    async ({ now, after }) => {
      const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
      after(() => rm(folder, { recursive: true }))
      const copy = openSqliteStore(join(folder, 'copy.db'), { now })
      return openNode(`${server.url}?schema=s${schemas++}`, { copy, now, appliedMs: 60_000 })
    },
    { follows: false },
  )
}
