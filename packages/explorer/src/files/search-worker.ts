/** Search worker, which runs the server's search engine over an index that is read in parts. */
// Imported first, since the engine uses `Buffer` while it is loaded.
import './buffer.ts'
import { DISCOVER_ACTION, type JsonObject } from '@worldwright/client/protocol'
import type { Query, Result, SynonymRule } from '@worldwright/core/store'
import { IndexReader, type ScoredKey, Synonyms, segmentFileReads } from '@worldwright/search'
import { askedOf, jsonAt } from './everything.ts'
import { partReader } from './part-reader.ts'
import type { Question, Reply } from './search-files.ts'
import { entityFile, type SiteFiles } from './site-files.ts'

/** Time limit of a search in milliseconds, including reads. A search that reaches it returns partial results. */
const BUDGET_MS = 20_000

const opened = new Map<string, ReturnType<typeof opening>>()

/** Opens an index. During a search, the engine reads synchronously, which blocks only the worker. */
async function opening(files: SiteFiles) {
  const { rows, synonyms: rules, ...table } = await jsonAt(files.search)
  const reads = segmentFileReads(table as never, partReader(new URL(String(rows), files.search).href))
  const reader = new IndexReader(reads)
  const synonyms = new Synonyms(rules as unknown as SynonymRule[])
  const search = (query: Query) => reader.search({ ...query, budgetMs: BUDGET_MS }, { synonyms })
  let world: ReturnType<typeof queriedWorld> | undefined
  return { search, world: () => (world ??= queriedWorld(files, search)) }
}

/** Loads the server's handler, which only queries need. */
async function queriedWorld(files: SiteFiles, search: (query: Query) => Result<ScoredKey>) {
  return (await import('./site-world.ts')).siteWorld(files, search)
}

/** Handler for the entities that the page has read, if this worker has them. */
let handler: ReturnType<typeof import('@worldwright/extensions/queried-world').queriedWorld> | undefined

async function answerTo(question: Question): Promise<Reply> {
  if ('url' in question) {
    const { read, url, init } = question
    if (read) handler = (await import('@worldwright/extensions/queried-world')).queriedWorld(read)
    const answer = (await (await handler)?.(new Request(url, init))) ?? Response.error()
    return { status: answer.status, text: await answer.text() }
  }
  const { files, action, input } = question
  const index = opened.get(files.search) ?? opening(files)
  opened.set(files.search, index)
  index.catch(() => opened.delete(files.search))
  const { search, world } = await index
  if (action === DISCOVER_ACTION) {
    const output = await discovered(files, input, search)
    return { status: 200, text: JSON.stringify({ action, output }) }
  }
  const answer = await (await world())(action, input)
  return { status: answer.status, text: await answer.text() }
}

async function discovered(
  files: SiteFiles,
  input: JsonObject,
  search: (query: Query) => Result<ScoredKey>,
): Promise<JsonObject> {
  const { cursor, unfinished, plain } = input
  const asked = askedOf(files, input)
  const after = typeof cursor === 'string' ? JSON.parse(cursor) : undefined
  const result = search({
    ...asked,
    unfinished: unfinished === true,
    plain: plain === true,
    after,
    budgetMs: BUDGET_MS,
  })
  const { total, counts, matched, why, broad, hits, last, totalIsLowerBound, partial } = result
  return {
    entities: await Promise.all(hits.map(({ key }) => jsonAt(entityFile(files, key.type, key.id)))),
    limit: asked.limit,
    total,
    counts: { ...counts },
    truncated: hits.length < total,
    matched: [...matched],
    ...(broad && { broad }),
    ...(why && { why: why.map((each) => ({ ...each })) }),
    ...(totalIsLowerBound && { totalIsLowerBound }),
    ...(partial && { partial }),
    ...(last && { nextCursor: JSON.stringify(last) }),
  }
}

async function replyTo(question: Question): Promise<Reply> {
  try {
    return await answerTo(question)
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

globalThis.addEventListener('message', async ({ data, ports: [port] }: MessageEvent<Question>) => {
  port?.postMessage(await replyTo(data))
})
