/**
 * Measures the cost of a store in PostgreSQL: `node --conditions=@worldwright/source bench/postgres.ts [--quick] [--only
 * PART] [FILE]`. Starts its own server with its data in a temporary folder, and prints all figures in one run. FILE is
 * the file to import, by default the large file beside the repository.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openStore, storeUrl } from '@worldwright/engines'
import { startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { spreadOf } from './http/measure.ts'
import { type Line, tableOf } from './http/table.ts'
import { ROOT } from './measured-loads.ts'
import { away, countOf, fresh, importing, type Nodes, openNode, world } from './postgres/nodes.ts'
import { reads, readsWithoutReplica } from './postgres/reads.ts'
import { served } from './postgres/served.ts'
import { writes } from './postgres/writes.ts'

/** Number of entities in the file generated for `--quick`. */
const FEW = 2_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
})
const { quick, only } = values
const effort = quick ? { rounds: 1, seconds: 0.1 } : { rounds: 10, seconds: 1 }

const server = await startPostgres({ isDurable: true })
if (server === undefined) {
  process.stdout.write('Not run: this machine has no PostgreSQL.\n')
  process.exit()
}
const folder = mkdtempSync(join(tmpdir(), 'worldwright-bench-'))
const nodes: Nodes = { url: server.url, folder }
const lines: Line[] = []
try {
  if (only === undefined || only === 'writes') lines.push(...(await writes(server.url, effort)))
  if (only === undefined || only === 'served') lines.push(...(await served(server.url, effort)))
  if (only === undefined || only === 'nodes') {
    const file = fileToImport()
    lines.push(...(await importing(nodes, file)), ...(await fresh(nodes)))
    const begun = performance.now()
    await world(folder, 'import', file, '--store', 'sqlite:embedded.db')
    const seconds = (performance.now() - begun) / 1_000
    const node = await openNode(nodes, 'fresh')
    const embedded = await openStore(storeUrl('sqlite:embedded.db', folder), { role: 'writer' })
    const value = spreadOf([Math.round((await countOf(embedded)) / seconds)])
    lines.push({ question: 'beside them: an import into a file, entities a second', bar: '', value })
    lines.push(...(await reads(node, embedded, effort)))
    const direct = await openStore(`${server.url}?cache=none`, { role: 'writer' })
    lines.push(...(await readsWithoutReplica(direct, node, effort)))
    await direct.close()
    await node.close()
    await embedded.close()
    lines.push(...(await away(nodes)))
  }
} finally {
  await server.end()
  rmSync(folder, { recursive: true })
  if (quick) process.stdout.write('Quick: these figures, and the sizes they name, mean nothing.\n\n')
  process.stdout.write(tableOf(lines))
}

function fileToImport(): string {
  const [named] = positionals
  if (named !== undefined) return resolve(named)
  if (!quick) return join(ROOT, '../shared/data/entities/large.ndjson.gz')
  const file = join(folder, 'few.ndjson')
  const entity = (at: number) => JSON.stringify({ type: 'bench:few', id: `e${at}`, title: `Entity ${at}` })
  writeFileSync(file, Array.from({ length: FEW }, (_, at) => entity(at)).join('\n'))
  return file
}
