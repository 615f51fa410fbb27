/** Keys of groups: values, or bins of values, of all documents of a result. */
import type { Column } from '../columns/column.ts'
import type { ColumnKind } from '../columns/column-key.ts'
import type { GroupKey } from '../port/conditions.ts'
import { binsOf } from './bins.ts'
import type { Matching } from './facets.ts'
import type { Room } from './room.ts'
import { usedIn, ValueCodes } from './value-codes.ts'

/** A column with the code of each value's group. */
export interface KeyColumn {
  readonly column: Column
  /** Code by ordinal, or -1. Undefined if codes are ordinals. */
  readonly codes: Int32Array | undefined
}

/** One key of all documents. */
export interface Keys {
  readonly kind: ColumnKind
  readonly codes: ValueCodes
  /** Column of each part of the result, or undefined if it has no values. */
  readonly columns: readonly (KeyColumn | undefined)[]
  /** Unset if time or room ran out, so that some values have no code. */
  readonly isComplete: boolean
}

/** Returns the keys by which documents are grouped, numbered in ascending order over all parts of the result. */
export function keysOf(key: GroupKey, matching: readonly Matching[], room: Room): Keys {
  const kind = key.by === 'width' ? 'number' : key.by === 'cells' ? 'place' : key.kind
  const found = matching.map(({ documents, set }) => {
    const column = set.count > 0 ? documents.column(key.property, kind) : undefined
    return column && { column, set, bins: key.by === 'value' ? undefined : binsOf(column, key, room) }
  })
  const present = found.filter((each) => each !== undefined)
  const parts = present.map(({ column, set, bins }) => ({
    dictionary: bins?.dictionary ?? column.dictionary,
    used: bins ? undefined : () => usedIn(column, set),
  }))
  const codes = new ValueCodes(parts, room)
  const columns = found.map((each) => {
    const ofPart = each && codes.of[present.indexOf(each)]
    const bins = each?.bins
    const composed = bins && ofPart ? bins.of.map((bin) => ofPart[bin] ?? -1) : (bins?.of ?? ofPart)
    return each && { column: each.column, codes: composed }
  })
  return { kind, codes, columns, isComplete: !room.isCut && !room.deadline.check() }
}
