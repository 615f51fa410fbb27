import { DatabaseSync } from 'node:sqlite'
import type { Store } from '../../core/src/store/contract.ts'
import { describeStore } from '../../core/src/store/suite.ts'
import { openSqliteStore } from './open.ts'
import { temporaryFolder } from './temporary-folder.fixture.ts'

const files = new WeakMap<Store, string>()

describeStore(
  'the SQLite engine',
  ({ now, after }) => {
    const folder = temporaryFolder()
    after(folder.remove)
    const file = folder.file('world.db')
    const store = openSqliteStore(file, { now })
    files.set(store, file)
    return store
  },
  {
    damage(store, { type, id }) {
      const db = new DatabaseSync(files.get(store) ?? '')
      // Changes one character, so that the text remains JSON of the same length and no version changes.
      const damaged = `replace(replace(json, '"Io"', '"I0"'), '"attributes"', '"atTributes"')`
      db.prepare(`UPDATE entities SET json = ${damaged} WHERE type = ? AND id = ?`).run(type, id)
      db.close()
    },
  },
)
