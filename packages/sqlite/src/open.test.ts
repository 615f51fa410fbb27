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
    const storage = openSqliteStore(file, { now })
    files.set(storage, file)
    return storage
  },
  {
    damage(storage, { type, id }) {
      const db = new DatabaseSync(files.get(storage) ?? '')
      // One character of the title, of the same length: still JSON, and no version moves.
      const damaged = `replace(replace(json, '"Io"', '"I0"'), '"attributes"', '"atTributes"')`
      db.prepare(`UPDATE entities SET json = ${damaged} WHERE type = ? AND id = ?`).run(type, id)
      db.close()
    },
  },
)
