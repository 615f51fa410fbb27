import { IndexDamage } from './port/index-damage.ts'
import type { SegmentRecord, SegmentStore } from './port/segment-store.ts'

interface StoredSegment {
  readonly rows: Map<string, Uint8Array>
  readonly tombstones: Map<number, Uint8Array>
}

/** Creates an empty store in memory: for tests, and as an example. Without transactions, changes cannot be rolled back. */
export function createMemorySegments(): SegmentStore {
  const stored = new Map<number, StoredSegment>()
  let published: SegmentRecord[] = []
  let lastId = 0
  let generation = 0
  let isGivenUp = false
  const segment = (id: number): StoredSegment => {
    const found = stored.get(id)
    if (!found) throw new Error(`There is no segment ${id}.`)
    return found
  }
  return {
    generation: () => (isGivenUp ? undefined : generation),
    segments: () => published,
    row(id, file, row) {
      const bytes = segment(id).rows.get(`${file}/${row}`)
      if (!bytes) throw new IndexDamage(`Segment ${id} has no row ${file}/${row}.`)
      return bytes
    },
    create() {
      lastId += 1
      stored.set(lastId, { rows: new Map(), tombstones: new Map() })
      return lastId
    },
    append(id, file, row, bytes) {
      segment(id).rows.set(`${file}/${row}`, bytes)
    },
    publish(id, head, replaced) {
      const { tombstones } = segment(id)
      published = [...published.filter((record) => !replaced.includes(record.id)), { id, head, tombstones }]
      for (const old of replaced) stored.delete(old)
      generation += 1
    },
    setTombstones(id, row, bits) {
      segment(id).tombstones.set(row, bits)
      generation += 1
    },
    discard(id) {
      stored.delete(id)
    },
    giveUp() {
      for (const { id } of published) stored.delete(id)
      published = []
      isGivenUp = true
    },
    sweep: () => false,
  }
}
