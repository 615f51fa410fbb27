/** One import in a process of its own, so that its memory can be measured: prints one line of JSON. */
import { type ImportProgress, importRecords, openSqliteStorage, sourceFromFile } from '@worldwright/server'

const [file = '', store = '', kind = 'world'] = process.argv.slice(2)
const start = performance.now()
const records = kind === 'bare' ? await bareLoop() : await worldImport()
const seconds = (performance.now() - start) / 1_000
const maxResidentMb = Math.round(process.resourceUsage().maxRSS / 1024)
process.stdout.write(`${JSON.stringify({ records, seconds, maxResidentMb })}\n`)

/** The whole path: read, check, stage, index, swap. */
async function worldImport(): Promise<number> {
  const storage = openSqliteStorage(store)
  let seen: ImportProgress | undefined
  const onProgress = (progress: ImportProgress) => {
    seen = progress
  }
  // A schema that holds, so that every entity is really validated.
  const types = kind === 'world' ? [] : [{ type: kind, schema: { type: 'object' } }]
  await importRecords(storage, [{ source: await sourceFromFile(file) }], { replace: true, types, onProgress })
  await storage.close()
  return seen?.records ?? 0
}

/** The floor: parse each line and insert it, a thousand to a transaction, and nothing else. */
async function bareLoop(): Promise<number> {
  const { DatabaseSync } = await import('node:sqlite')
  const { createReadStream } = await import('node:fs')
  const { createInterface } = await import('node:readline')
  const { createGunzip } = await import('node:zlib')
  const db = new DatabaseSync(store)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  db.exec(
    'CREATE TABLE entities (type TEXT, id TEXT, json TEXT, PRIMARY KEY (type, id)) STRICT, WITHOUT ROWID',
  )
  const insert = db.prepare('INSERT OR REPLACE INTO entities VALUES (?, ?, ?)')
  const bytes = createReadStream(file)
  let count = 0
  db.exec('BEGIN')
  for await (const line of createInterface({
    input: file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes,
  })) {
    const { type, id } = JSON.parse(line)
    insert.run(type, String(id), line)
    count += 1
    if (count % 1_000 === 0) db.exec('COMMIT; BEGIN')
  }
  db.exec('COMMIT')
  db.close()
  return count
}
