import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { moon } from '../../core/src/store/suite-data.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

test('a commit succeeds even if its staged rows cannot be removed afterwards', async (t) => {
  const folder = temporaryFolder()
  const file = folder.file('a.db')
  const store = openSqliteStore(file)
  t.after(async () => {
    await store.close()
    folder.remove()
  })
  const load = await store.bulk()
  await load.add([moon('io')])
  const other = new DatabaseSync(file)
  other.exec("CREATE TRIGGER full BEFORE DELETE ON staged BEGIN SELECT RAISE(ABORT, 'no room'); END")
  assert.equal((await load.commit()).created, 1)
  assert.ok(await store.get('sol:moon', 'io'))
  other.exec('DROP TRIGGER full')
  other.close()
})
