/** Text forms of positions, versions and offsets, for engines that number their writes. */
import {
  type Change,
  type Changes,
  type EntityKey,
  type Position,
  StorageFault,
  type TypeState,
} from './contract.ts'

/** Random bytes of an epoch: enough that no two histories anywhere ever have the same name. */
const EPOCH_BYTES = 9

/** Default retention of tombstones, in milliseconds: 90 days. */
export const DELETIONS_KEPT_MS = 90 * 24 * 60 * 60 * 1_000

/** Maximum length of an offset, in characters: types and ids have bounds of their own. */
const MAX_PLACE = 4_096

/** Returns a new name of a history, its epoch, which is globally unique. It contains no `-`. */
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
   * Lower numbers of writes that are still in progress, ascending: with several writers, the write that began first may end
   * last. Empty if one process writes.
   */
  readonly pending: readonly number[]
}

/** Formats a position. It is also the version of a type that was changed last at it. */
export function positionOf(epoch: string, number: number, pending: readonly number[] = []): Position {
  return `${epoch}-${[number, ...pending].join('.')}`
}

/** Returns the epoch of a position: the name of its history. */
export function epochOf(position: Position): string {
  return position.slice(0, position.lastIndexOf('-'))
}

/** Returns the number of a position of this history; undefined for another history or a malformed position. */
export function numberOf(epoch: string, position: Position): number | undefined {
  return reachOf(epoch, position)?.number
}

/** Parses a position of this history; undefined for another history or a malformed position. */
export function reachOf(epoch: string, position: Position): Reach | undefined {
  const digits = position.startsWith(`${epoch}-`) ? position.slice(epoch.length + 1) : ''
  if (!/^(?:0|[1-9][0-9]{0,15})(?:\.[1-9][0-9]{0,15})*$/.test(digits)) return undefined
  const [number = 0, ...pending] = digits.split('.').map(Number)
  return { epoch, number, pending }
}

/** Reports whether a history holds everything up to a position; undefined for another history or a malformed position. */
export function hasReached({ epoch, number, pending }: Reach, position: Position): boolean | undefined {
  const asked = reachOf(epoch, position)
  return (
    asked &&
    asked.number <= number &&
    pending.every((one) => one > asked.number || asked.pending.includes(one))
  )
}

/** An offset in the change log of one history. */
export interface Place {
  /** Every change with a lower number lies before the offset. */
  readonly number: number
  /** The last change of that number before the offset; absent: all of them lie before it. */
  readonly key?: { readonly type: string; readonly id: string } | undefined
  /**
   * Number of the history when its reader started from the beginning: the reader never saw what was deleted before then,
   * and needs no tombstones for it.
   */
  readonly begun: number
  /** Lower numbers that lie after the offset all the same: see `Reach.pending`. Absent: there are none. */
  readonly pending?: readonly number[] | undefined
}

/** Returns the offset from which everything is read. */
export function beginning(now: number): Place {
  return { number: 0, begun: now }
}

/** Serialises an offset of a history. */
export function placeText(epoch: string, { number, key, begun, pending = [] }: Place): string {
  const before = pending.filter((one) => one < number)
  const members = [epoch, number, begun, ...(key ? [key.type, key.id] : [])]
  return JSON.stringify(before.length > 0 ? [...members, before] : members)
}

/** Parses an offset. @throws StorageFault `invalid_place`; `expired` if it belongs to another history */
export function placeFrom(epoch: string, text: string): Place {
  const { history, ...place } = membersOf(text)
  if (history !== epoch)
    throw new StorageFault('expired', 'This place is of another history. Begin again without a place.')
  return place
}

function membersOf(text: string): Place & { readonly history: string } {
  const members: unknown = text.length <= MAX_PLACE ? parsed(text) : undefined
  if (Array.isArray(members)) {
    const pending: unknown[] = Array.isArray(members.at(-1)) ? members.pop() : []
    const [history, number, begun, ...key] = members
    const isPlace =
      typeof history === 'string' &&
      [number, begun, ...pending].every((one) => Number.isSafeInteger(one) && one >= 0) &&
      (key.length === 0 || key.length === 2) &&
      key.every((one) => typeof one === 'string')
    const [type, id] = key
    if (isPlace)
      return {
        history,
        number,
        begun,
        ...(key.length > 0 && { key: { type, id } }),
        pending: pending as number[],
      }
  }
  throw new StorageFault('invalid_place', 'This is not a valid place among the changes of a store.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Refuses an offset after which tombstones may be forgotten. @throws StorageFault `expired` */
export function refuseExpired(place: Place, trimmed: number): void {
  const known = place.key ? place.number - 1 : place.number
  if (trimmed > Math.max(known, place.begun))
    throw new StorageFault(
      'expired',
      'Deletions since this place may be forgotten. Begin again without a place.',
    )
}

/** Result of reading an engine's log in one snapshot. */
export interface LogRead {
  readonly changes: readonly Change[]
  readonly more: boolean
  /** Damaged entities, which are omitted from the changes. */
  readonly damaged?: readonly EntityKey[]
  /** Offset of the last entity that was read, damaged ones included; absent if that is the last change. */
  readonly last?: string | undefined
  /** Offset from which the log was read. */
  readonly place: Place
  readonly reach: Reach
  /** Number up to which tombstones may be forgotten. */
  readonly trimmed: number
}

/** Builds the answer from a read of the log. An offset ahead of the store is returned unchanged. */
export function changesFrom(
  { changes, damaged = [], last, more, place, reach, trimmed }: LogRead,
  types: () => ReadonlyMap<string, TypeState>,
): Changes {
  const { epoch, number, pending } = reach
  const end = place.number > number ? place : { number, begun: place.begun, pending }
  return {
    changes,
    ...(damaged.length > 0 && { damaged }),
    next: (more && (last ?? changes.at(-1)?.place)) || placeText(epoch, end),
    more,
    position: positionOf(epoch, number, pending),
    earliest: positionOf(epoch, trimmed),
    ...(!more && { versions: new Map([...types()].map(([type, { version }]) => [type, version])) }),
  }
}
