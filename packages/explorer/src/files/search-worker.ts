/** Search worker, which runs the server's search engine over an index that is read in parts. */
// Imported first, since the engine uses `Buffer` while it is loaded.
import './buffer.ts'
import type { JsonObject } from '@worldwright/client/protocol'
import type { Result, SynonymRule } from '@worldwright/core/store'
import { IndexReader, type ScoredKey, Synonyms, segmentFileReads } from '@worldwright/search'
import { askedOf, jsonAt } from './everything.ts'
import { partReader } from './part-reader.ts'
import type { Question, Reply } from './search-files.ts'
import { entityFile, type SiteFiles } from './site-files.ts'

/** Time limit of a search in milliseconds, including reads. A search that reaches it returns partial results. */
const BUDGET_MS = 20_000

const opened = new Map<string, ReturnType<typeof indexOf>>()

/** Opens an index. During a search, the engine reads synchronously, which blocks only the worker. */
async function indexOf({ search }: SiteFiles) {
  const { rows, synonyms, ...table } = await jsonAt(search)
  const reads = segmentFileReads(table as never, partReader(new URL(String(rows), search).href))
  return { reader: new IndexReader(reads), synonyms: new Synonyms(synonyms as unknown as SynonymRule[]) }
}

async function outputOf(files: SiteFiles, input: JsonObject): Promise<JsonObject> {
  const { cursor } = input
  const { text, types, limit } = askedOf(files, input)
  const opening = opened.get(files.search) ?? indexOf(files)
  opened.set(files.search, opening)
  opening.catch(() => opened.delete(files.search))
  const { reader, synonyms } = await opening
  const after = typeof cursor === 'string' ? JSON.parse(cursor) : undefined
  const result = reader.search({ text, types, limit, after, budgetMs: BUDGET_MS }, { synonyms })
  const entities = await Promise.all(
    result.hits.map(({ key }) => jsonAt(entityFile(files, key.type, key.id))),
  )
  return { entities, ...numbersOf(result, limit) }
}

function numbersOf(result: Result<ScoredKey>, limit: number): JsonObject {
  const { total, counts, matched, hits, last, totalIsLowerBound, partial } = result
  return {
    limit,
    total,
    counts: { ...counts },
    truncated: hits.length < total,
    matched: [...matched],
    ...(totalIsLowerBound && { totalIsLowerBound }),
    ...(partial && { partial }),
    ...(last && { nextCursor: JSON.stringify(last) }),
  }
}

async function replyTo({ files, input }: Question): Promise<Reply> {
  try {
    return { output: await outputOf(files, input) }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

globalThis.addEventListener('message', async ({ data, ports: [port] }: MessageEvent<Question>) => {
  port?.postMessage(await replyTo(data))
})
