/** Reads real entities in the form in which a store indexes them. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Entity } from '@worldwright/client/protocol'
import { searchDocumentOf } from '../../packages/search/src/entities/search-document.ts'
import { valuesOf } from '../../packages/search/src/entities/search-values.ts'
import type { SearchDocument } from '../../packages/search/src/port/document.ts'

/** Documents, and the stored size of their entities in bytes. */
export interface Corpus {
  readonly documents: readonly SearchDocument[]
  readonly bytes: number
}

/** Members that the store adds to every entity: two times and a revision. */
const ADDED = `,"createdAt":"2026-03-01T09:00:00Z","updatedAt":"2026-03-01T09:00:00Z","revision":"${'x'.repeat(22)}"`

const TIMES = { createdAt: Date.UTC(2026, 2, 1, 9), updatedAt: Date.UTC(2026, 2, 1, 9) }

/** Yields every `step`th record of a gzipped NDJSON file as an entity. */
export async function* readEntities(file: URL, step = 1): AsyncGenerator<Entity> {
  let at = 0
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    if (at++ % step === 0) yield entityOf(JSON.parse(line))
  }
}

/** Reads every `step`th record of a gzipped NDJSON file as a document. */
export async function readCorpus(file: URL, step = 1): Promise<Corpus> {
  const documents: SearchDocument[] = []
  let bytes = 0
  for await (const entity of readEntities(file, step)) {
    documents.push({ ...searchDocumentOf(entity), values: valuesOf(entity, TIMES) })
    const key = entity.type.length + Buffer.byteLength(entity.id) + 22
    bytes += key + Buffer.byteLength(JSON.stringify(entity)) + ADDED.length
  }
  return { documents, bytes }
}

/** Converts a record of `data/entities` to an entity. */
export function entityOf({ type, id, name, description, ...attributes }: Record<string, unknown>): Entity {
  return {
    type: String(type),
    id: String(id),
    ...(name !== undefined && name !== null && { title: String(name) }),
    ...(description !== undefined && description !== null && { summary: String(description) }),
    attributes: attributes as Entity['attributes'],
  }
}
