/** Segments kept in memory: for the engine that keeps nothing, and for tests. */
import type { SegmentRecord, SegmentStore } from './port/segment-store.ts'

interface Kept {
  readonly rows: Map<string, Uint8Array>
  readonly tombstones: Map<number, Uint8Array>
}

/** Creates an empty store. Nothing in it is undone when a transaction is. */
export function createMemorySegments(): SegmentStore & { bytes(): number } {
  const kept = new Map<number, Kept>()
  let published: SegmentRecord[] = []
  let last = 0
  let generation = 0
  const segment = (id: number): Kept => {
    const found = kept.get(id)
    if (!found) throw new Error(`There is no segment ${id}.`)
    return found
  }
  return {
    generation: () => generation,
    segments: () => published,
    row(id, file, row) {
      const bytes = segment(id).rows.get(`${file}/${row}`)
      if (!bytes) throw new Error(`Segment ${id} has no row ${file}/${row}.`)
      return bytes
    },
    tombstones: (id) => segment(id).tombstones,
    create() {
      last += 1
      kept.set(last, { rows: new Map(), tombstones: new Map() })
      return last
    },
    append(id, file, row, bytes) {
      segment(id).rows.set(`${file}/${row}`, bytes)
    },
    publish(id, head, replaced) {
      published = [...published.filter((record) => !replaced.includes(record.id)), { id, head }]
      for (const old of replaced) kept.delete(old)
      generation += 1
    },
    setTombstones(id, row, bits) {
      segment(id).tombstones.set(row, bits)
      generation += 1
    },
    discard(id) {
      kept.delete(id)
    },
    sweep: () => false,
    bytes() {
      let sum = 0
      for (const { rows } of kept.values()) for (const row of rows.values()) sum += row.length
      return sum
    },
  }
}
