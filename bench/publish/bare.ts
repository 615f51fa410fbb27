/** Lower bound of an import: only parses each line and inserts it, in transactions of a thousand lines. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { createGunzip } from 'node:zlib'

const [file = '', store = ''] = process.argv.slice(2)
const db = new DatabaseSync(store)
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
db.exec('CREATE TABLE entities (type TEXT, id TEXT, json TEXT, PRIMARY KEY (type, id)) STRICT, WITHOUT ROWID')
const insert = db.prepare('INSERT OR REPLACE INTO entities VALUES (?, ?, ?)')
const bytes = createReadStream(file)
const lines = createInterface({ input: file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes })
let count = 0
db.exec('BEGIN')
for await (const line of lines) {
  const { type, id } = JSON.parse(line)
  insert.run(type, String(id), line)
  count += 1
  if (count % 1_000 === 0) db.exec('COMMIT; BEGIN')
}
db.exec('COMMIT')
db.close()
