/** References of one column to documents of one type in one segment. */
import type { Column } from '../columns/column.ts'
import { compareBytes } from '../format/byte-io.ts'
import { documentKey, TYPE_BYTES } from '../format/segment-head.ts'
import { MAX_KEY_BYTES } from '../format/table.ts'
import type { JoinedPath } from '../port/conditions.ts'
import { IndexDamage } from '../port/index-damage.ts'
import type { Deadline } from './deadline.ts'
import type { TypeDocuments } from './type-documents.ts'

/** If there are more references per document than this, the documents are looked up among the references. */
const LOOKED_UP = 16

/** Values in `[from, end)` of a column that may refer to `documents`. Each consists of a prefix and an id. */
export interface Link {
  readonly column: Column
  readonly prefix: string
  readonly from: number
  readonly end: number
  readonly documents: TypeDocuments
}

/** Live documents of a link, ascending, and the ordinal of the reference to each. */
export interface Targets {
  readonly found: Uint32Array
  readonly references: Uint32Array
}

/** Returns the links from documents by a path, given all documents in the index by type. @throws IndexDamage */
export function linksOf(
  referring: TypeDocuments,
  { reference, types, texts }: JoinedPath,
  all: ReadonlyMap<string, readonly TypeDocuments[]>,
): Link[] {
  const links: Link[] = []
  const add = (type: string, link: Omit<Link, 'documents'>) => {
    for (const documents of all.get(type) ?? []) links.push({ ...link, documents })
  }
  const column = referring.column(reference, 'reference')
  const keys = column?.dictionary.texts
  for (let from = 0; column && keys && from < column.values; ) {
    const type = typeIn(keys.bytes(from))
    // References of one type are adjacent, and an exclamation mark follows a space.
    const end = keys.before(Buffer.from(`${type}!`))
    if (end <= from) throw new IndexDamage('References of the search index are out of order.')
    if (types?.includes(type) !== false) add(type, { column, prefix: `${type} `, from, end })
    from = end
  }
  const ids = texts === undefined ? undefined : referring.column(reference, 'text')
  if (texts !== undefined && ids) add(texts, { column: ids, prefix: '', from: 0, end: ids.values })
  return links
}

/** Returns the type in the text of a reference. */
function typeIn(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, bytes.indexOf(SPACE))).toString()
}

const SPACE = 0x20

/** Returns the documents to which a link leads. Some may be missing once the deadline has passed. */
export function targetsOf(link: Link, deadline: Deadline): Targets {
  const { documents, from, end } = link
  const { live, size } = documents
  const found = new Uint32Array(Math.min(end - from, size))
  const references = new Uint32Array(found.length)
  let count = 0
  const visit = size * LOOKED_UP < end - from ? eachLookedUp : eachMerged
  visit(link, deadline, (reference, document) => {
    if (!live.has(document)) return
    found[count] = document
    references[count++] = reference
  })
  return { found: found.subarray(0, count), references: references.subarray(0, count) }
}

type Visit = (reference: number, document: number) => void

/** Merges the references with the keys of the segment, both ascending. */
function eachMerged({ column, prefix, from, end, documents }: Link, deadline: Deadline, visit: Visit): void {
  const { texts } = column.dictionary
  const { segment, type, range } = documents
  const keys = segment.documentIterator()
  const key = new Uint8Array(MAX_KEY_BYTES)
  for (let reference = from; texts && reference < end && !deadline.step(); reference++) {
    const id = texts.bytes(reference).subarray(prefix.length)
    const length = TYPE_BYTES + id.length
    if (length > MAX_KEY_BYTES) continue
    documentKey(type, id, id.length, key)
    let order = keys.ordinal < 0 ? -1 : compareBytes(keys.key, keys.keyLength, key, length)
    if (order < 0) {
      if (!keys.advance(key.subarray(0, length)) || keys.ordinal >= range.end) return
      order = compareBytes(keys.key, keys.keyLength, key, length)
    }
    if (order === 0) visit(reference, keys.ordinal - range.first)
  }
}

function eachLookedUp({ column, prefix, end, documents }: Link, deadline: Deadline, visit: Visit): void {
  const { texts } = column.dictionary
  const { segment, range, live } = documents
  live.each((document) => {
    const key = Buffer.concat([Buffer.from(prefix), segment.idBytes(range.first + document)])
    const reference = texts?.before(key) ?? end
    if (texts && reference < end && Buffer.compare(texts.bytes(reference), key) === 0)
      visit(reference, document)
    return !deadline.step()
  })
}
