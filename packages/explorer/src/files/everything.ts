/** Normalizes search inputs for a world of files, and answers searches without text. */
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { pageFile, type SiteFiles } from './site-files.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

/** Normalizes a `wp:discover` input: applies defaults, removes unknown types, and caps `limit`. */
export function askedOf(files: SiteFiles, { text, types, limit }: JsonObject) {
  const named = Array.isArray(types) && types.length > 0 ? types.map(String) : undefined
  return {
    text: typeof text === 'string' ? text.trim() : '',
    types: files.types.map(({ type }) => type).filter((type) => named?.includes(type) !== false),
    limit: Math.min(typeof limit === 'number' ? limit : LIMIT_DEFAULT, LIMIT_MAX),
  }
}

/** Answers a search without text from the list files, ordered by type and id. Rejects as `jsonAt` does. */
export async function everything(files: SiteFiles, input: JsonObject): Promise<JsonObject> {
  const { types, limit } = askedOf(files, input)
  const counts: Record<string, number> = {}
  const heads = await Promise.all(types.map((type) => jsonAt(pageFile(files, type, 0))))
  for (const [at, { total }] of heads.entries())
    if (Number(total) > 0) counts[types[at] ?? ''] = Number(total)
  const entities: JsonValue[] = []
  for (const type of Object.keys(counts)) {
    if (entities.length >= limit) break
    const page = await jsonAt(pageFile(files, type, LIMIT_MAX))
    if (Array.isArray(page['entities'])) entities.push(...page['entities'].slice(0, limit - entities.length))
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { entities, limit, total, counts, truncated: entities.length < total, matched: [] }
}

/** Returns the JSON object in a file. Rejects if the file is missing or does not contain an object. */
export async function jsonAt(url: string): Promise<JsonObject> {
  const response = await fetch(url)
  const body: unknown = response.ok ? await response.json() : undefined
  if (!isObject(body)) throw new Error(`${url} answers ${response.status}`)
  return body
}
