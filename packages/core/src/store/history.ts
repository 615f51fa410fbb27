/** Encoding of positions, versions and offsets, for engines that number their writes. */
import {
  type Change,
  type Changes,
  type EntityKey,
  type Position,
  StoreFault,
  type TypeState,
} from './contract.ts'

/** Number of random bytes in an epoch, enough to make every epoch globally unique. */
const EPOCH_BYTES = 9

/** Default retention of tombstones, in milliseconds: 90 days. */
export const DELETIONS_KEPT_MS = 90 * 24 * 60 * 60 * 1_000

/** Maximum length of an offset, in characters. */
const MAX_PLACE = 4_096

/** Returns a new, globally unique epoch, which is the name of a history. It contains no `-`. */
export function mintEpoch(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(EPOCH_BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** High-water mark of a store's history. */
export interface Reach {
  readonly epoch: string
  /** Number of the last write that changed entities. */
  readonly number: number
  /**
   * Lower numbers whose writes are still in progress, ascending. With several writers, writes may finish out of
   * order. Empty if only one process writes.
   */
  readonly pending: readonly number[]
}

/** Formats a position. The version of a type is the position of the last write that changed the type. */
export function positionOf(epoch: string, number: number, pending: readonly number[] = []): Position {
  return `${epoch}-${[number, ...pending].join('.')}`
}

/** Returns the epoch of a position: the name of its history. */
export function epochOf(position: Position): string {
  return position.slice(0, position.lastIndexOf('-'))
}

/** Returns the write number of a position, or undefined if the position is malformed or belongs to another history. */
export function numberOf(epoch: string, position: Position): number | undefined {
  return reachOf(epoch, position)?.number
}

/** Parses a position. Returns undefined if the position is malformed or belongs to another history. */
export function reachOf(epoch: string, position: Position): Reach | undefined {
  const digits = position.startsWith(`${epoch}-`) ? position.slice(epoch.length + 1) : ''
  if (!/^(?:0|[1-9][0-9]{0,15})(?:\.[1-9][0-9]{0,15})*$/.test(digits)) return undefined
  const [number = 0, ...pending] = digits.split('.').map(Number)
  return { epoch, number, pending }
}

/** Returns whether a history has reached a position, or undefined if the position is malformed or of another history. */
export function hasReached({ epoch, number, pending }: Reach, position: Position): boolean | undefined {
  const asked = reachOf(epoch, position)
  return (
    asked &&
    asked.number <= number &&
    pending.every((one) => one > asked.number || asked.pending.includes(one))
  )
}

/** An offset in the change log of one history. */
export interface Offset {
  /** All changes with a lower number precede the offset, except those in `pending`. */
  readonly number: number
  /** Key of the last change with this number that precedes the offset. If absent, all changes with this number do. */
  readonly key?: { readonly type: string; readonly id: string } | undefined
  /**
   * Number of the last write when the reader of this offset started from the beginning. The reader never saw entities
   * deleted by then, so it needs no tombstones for them.
   */
  readonly begun: number
  /** Lower numbers whose changes nevertheless follow the offset: see `Reach.pending`. Absent if no writes are pending. */
  readonly pending?: readonly number[] | undefined
  /** Highest number that precedes the offset, if `number` is that of a write that was pending before. */
  readonly seen?: number | undefined
}

/** Changes of consecutive numbers to read after an offset, and the common part of their offsets. */
export interface Stretch extends Pick<Offset, 'begun' | 'key' | 'pending' | 'seen'> {
  readonly from: number
  readonly to: number
}

/**
 * Returns what to read after an offset, in order: the rest of its write, the writes that were pending, and all later ones.
 * Empty if the store has not reached the offset, which a node that was ahead has returned.
 */
export function stretchesAfter(offset: Offset, reach: Reach): Stretch[] {
  const { number, key, begun, pending = [], seen = number } = offset
  if (!hasReached(reach, positionAt(reach.epoch, offset))) return []
  const rest = (at: number) => pending.filter((one, index) => index > at || reach.pending.includes(one))
  return [
    ...(key ? [{ from: number, key, to: number, begun, seen, pending: rest(-1) }] : []),
    ...pending.map((one, at) => ({ from: one, to: one, begun, seen, pending: rest(at) })),
    { from: seen + 1, to: Number.MAX_SAFE_INTEGER, begun, pending: reach.pending },
  ]
}

/** Returns the position of a reader at an offset. */
function positionAt(epoch: string, { number, pending, seen = number }: Offset): Position {
  return positionOf(epoch, seen, pending)
}

/** Returns the offset before the first change, for a reader that starts at write number `now`. */
export function beginning(now: number): Offset {
  return { number: 0, begun: now }
}

/** Serialises an offset of a history. */
export function offsetText(
  epoch: string,
  { number, key, begun, pending = [], seen = number }: Offset,
): string {
  // In the text, `seen` is the last of the pending numbers, and the only one that may exceed all others.
  const before = [...pending.filter((one) => one < seen), ...(seen > number ? [seen] : [])]
  const members = [epoch, number, begun, ...(key ? [key.type, key.id] : [])]
  return JSON.stringify(before.length > 0 ? [...members, before] : members)
}

/** Parses an offset. @throws StoreFault `invalid_offset`; `expired` for an offset of another history */
export function offsetFrom(epoch: string, text: string): Offset {
  const { history, ...offset } = membersOf(text)
  if (history !== epoch)
    throw new StoreFault('expired', 'This offset is of another history. Begin again without an offset.')
  return offset
}

function membersOf(text: string): Offset & { readonly history: string } {
  const members: unknown = text.length <= MAX_PLACE ? parsed(text) : undefined
  if (Array.isArray(members)) {
    const pending: unknown[] = Array.isArray(members.at(-1)) ? members.pop() : []
    const [history, number, begun, ...key] = members
    const isOffset =
      typeof history === 'string' &&
      [number, begun, ...pending].every((one) => Number.isSafeInteger(one) && one >= 0) &&
      (key.length === 0 || key.length === 2) &&
      key.every((one) => typeof one === 'string')
    const [type, id] = key
    if (isOffset)
      return {
        history,
        number,
        begun,
        ...(key.length > 0 && { key: { type, id } }),
        seen: Number(pending.at(-1)) > number ? (pending.pop() as number) : number,
        pending: pending as number[],
      }
  }
  throw new StoreFault('invalid_offset', 'This is not a valid offset in the change log of a store.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Refuses an offset if tombstones after it may have been forgotten. @throws StoreFault `expired` */
export function refuseExpired(offset: Offset, trimmed: number): void {
  const known = offset.key ? offset.number - 1 : offset.number
  if (trimmed > Math.max(known, offset.begun))
    throw new StoreFault(
      'expired',
      'Deletions since this offset may be forgotten. Begin again without an offset.',
    )
}

/** Result of reading an engine's log in one snapshot. */
export interface LogRead {
  readonly changes: readonly Change[]
  readonly more: boolean
  /** Damaged entities, which are omitted from the changes. */
  readonly damaged?: readonly EntityKey[]
  /** Offset of the last entity read, damaged ones included. Absent if it is the offset of the last change. */
  readonly last?: string | undefined
  /** Offset from which the log was read. */
  readonly offset: Offset
  readonly reach: Reach
  /** Write number up to which tombstones may have been forgotten. */
  readonly trimmed: number
}

/** Builds the result of `Store.changes` from a read of the log. An offset that it has not reached is returned unchanged. */
export function changesFrom(
  { changes, damaged = [], last, more, offset, reach, trimmed }: LogRead,
  types: () => ReadonlyMap<string, TypeState>,
): Changes {
  const { epoch, number, pending } = reach
  const isReached = hasReached(reach, positionAt(epoch, offset)) === true
  const end: Offset = isReached ? { number, begun: offset.begun, pending } : offset
  return {
    changes,
    ...(damaged.length > 0 && { damaged }),
    next: (more && (last ?? changes.at(-1)?.offset)) || offsetText(epoch, end),
    more,
    position: positionAt(epoch, end),
    earliest: positionOf(epoch, trimmed),
    ...(isReached &&
      !more && { versions: new Map([...types()].map(([type, { version }]) => [type, version])) }),
  }
}
