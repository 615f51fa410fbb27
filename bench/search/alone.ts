/** Opens an index and searches it in a separate process. Prints the opening time and the resident memory. */
import { DatabaseSync } from 'node:sqlite'
import { IndexReader } from '../../packages/search/src/read/index-reader.ts'
import { dice } from '../../packages/search/src/reference/random.fixture.ts'
import { segmentStore } from '../../packages/sqlite/src/segments.ts'

const [file = '', rounds = '200'] = process.argv.slice(2)
const began = performance.now()
const reader = new IndexReader(segmentStore(new DatabaseSync(file, { readOnly: true })))
const openMs = performance.now() - began
const roll = dice(3)
const syllables = 'sa de la mar san ber lin ton ville burg kov ica'.split(' ')
const word = () => (syllables[roll(12)] as string) + (roll(2) ? (syllables[roll(12)] as string) : '')
for (let at = 0; at < Number(rounds); at++) {
  const text = Array.from({ length: 1 + roll(4) }, word).join(' ')
  reader.search({ text, limit: 20, budgetMs: 250 })
}
process.stdout.write(JSON.stringify({ openMs, residentMb: process.memoryUsage().rss / 1e6 }))
