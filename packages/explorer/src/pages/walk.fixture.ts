/** Fake walks in any state, for layout tests. They record the calls made to them. */
import type { Entity } from '@worldwright/client'
import { walkFrom } from '../world/walk.ts'
import type { WalkReader } from '../world/walk-reader.ts'
import type { Walk } from './use-walk.ts'

/** Returns a walk that has loaded these entities. `calls` lists the methods of the reader that were called. */
export function walkOf(entities: readonly Entity[], more: Partial<Walk> = {}) {
  const calls: string[] = []
  const offsets: number[] = []
  const call = (name: string) => () => void calls.push(name)
  const names = ['more', 'earlier', 'retry', 'restart', 'stop']
  const reader = Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as WalkReader
  const walk: Walk = {
    walked: { ...walkFrom(undefined), entities, isBegun: true, starts: [{ row: 0, cursor: undefined }] },
    failure: undefined,
    isBusy: false,
    isStale: false,
    entry: 'entry',
    offset: 0,
    reader,
    note: (offset) => void offsets.push(offset),
    ...more,
  }
  return { walk, calls, offsets }
}
