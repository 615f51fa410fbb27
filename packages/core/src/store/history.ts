/** Texts of positions, versions and places among changes, for engines that count their writes. */
import {
  type Change,
  type Changes,
  type EntityKey,
  type Position,
  StorageFault,
  type TypeState,
} from './contract.ts'

/** Enough random bits that no two histories anywhere ever have the same name. */
const EPOCH_BYTES = 9

/** Deletions are remembered for 90 days, in milliseconds, if nothing else is asked for. */
export const DELETIONS_KEPT_MS = 90 * 24 * 60 * 60 * 1_000

/** Longer texts are no places: types and ids have bounds of their own. */
const MAX_PLACE = 4_096

/** A new name of a history, unlike any other. It has no `-`. */
export function mintEpoch(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(EPOCH_BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** How far a history has come. */
export interface Reach {
  readonly epoch: string
  /** Of the last write that changed entities. */
  readonly number: number
  /**
   * Numbers before it of writes that are still under way, ascending: where several write at once, the one that began first
   * may end last. Empty if one process writes.
   */
  readonly pending: readonly number[]
}

/** A position as a text: also the version of a type that was changed last at it. */
export function positionOf(epoch: string, number: number, pending: readonly number[] = []): Position {
  return `${epoch}-${[number, ...pending].join('.')}`
}

/** The name of the history that a position is of. */
export function epochOf(position: Position): string {
  return position.slice(0, position.lastIndexOf('-'))
}

/** The number of a position of this history; undefined if it is of another one, or none. */
export function numberOf(epoch: string, position: Position): number | undefined {
  return reachOf(epoch, position)?.number
}

/** What a position of this history says; undefined if it is of another one, or none. */
export function reachOf(epoch: string, position: Position): Reach | undefined {
  const digits = position.startsWith(`${epoch}-`) ? position.slice(epoch.length + 1) : ''
  if (!/^(?:0|[1-9][0-9]{0,15})(?:\.[1-9][0-9]{0,15})*$/.test(digits)) return undefined
  const [number = 0, ...pending] = digits.split('.').map(Number)
  return { epoch, number, pending }
}

/** Whether a history holds all that there was at a position; undefined if that is of another one, or none. */
export function hasReached({ epoch, number, pending }: Reach, position: Position): boolean | undefined {
  const asked = reachOf(epoch, position)
  return (
    asked &&
    asked.number <= number &&
    pending.every((one) => one > asked.number || asked.pending.includes(one))
  )
}

/** A place among the changes of one history. */
export interface Place {
  /** All before this number lies before the place. */
  readonly number: number
  /** The last change of that number before the place; absent: all of them lie before it. */
  readonly key?: { readonly type: string; readonly id: string } | undefined
  /**
   * How far the history had come when its reader began at the beginning: what was deleted before then, the reader never
   * saw, and need not be told.
   */
  readonly begun: number
  /** Numbers before it that are not before the place after all: see `Reach.pending`. Absent: there are none. */
  readonly pending?: readonly number[] | undefined
}

/** The place from which everything is read. */
export function beginning(now: number): Place {
  return { number: 0, begun: now }
}

/** A place as a text. */
export function placeText(epoch: string, { number, key, begun, pending = [] }: Place): string {
  const before = pending.filter((one) => one < number)
  const members = [epoch, number, begun, ...(key ? [key.type, key.id] : [])]
  return JSON.stringify(before.length > 0 ? [...members, before] : members)
}

/** The place that a text is. @throws StorageFault `invalid_place`; `expired` where it is of another history */
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

/** Refuses a place behind which deletions may be forgotten. @throws StorageFault `expired` */
export function refuseExpired(place: Place, trimmed: number): void {
  const known = place.key ? place.number - 1 : place.number
  if (trimmed > Math.max(known, place.begun))
    throw new StorageFault(
      'expired',
      'Deletions since this place may be forgotten. Begin again without a place.',
    )
}

/** What an engine read of its log in one snapshot. */
export interface LogRead {
  readonly changes: readonly Change[]
  readonly more: boolean
  /** Entities that are left out, since they are damaged. */
  readonly damaged?: readonly EntityKey[]
  /** The place of the last entity that was read, damaged ones included; absent if that is the last change. */
  readonly last?: string | undefined
  /** Where it was read from. */
  readonly place: Place
  readonly reach: Reach
  /** How far deletions may be forgotten. */
  readonly trimmed: number
}

/** The answer that a reading of the log is. A place ahead of the store stays where it is. */
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
