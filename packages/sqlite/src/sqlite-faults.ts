/** Translates SQLite errors to store faults. */

import { StoreFault, type StoreFaultCode } from '@worldwright/core/store'
import { IndexDamage } from '@worldwright/search'

/** Faults by SQLite primary result code (https://sqlite.org/rescode.html). */
const FAULTS: Readonly<Record<number, readonly [StoreFaultCode, string]>> = {
  5: ['busy', 'Another process is writing to the store. Try again.'],
  6: ['busy', 'Another connection of this process is writing to the store. Try again.'],
  8: [
    'read_only',
    'The store cannot be written: it was opened for reading, or its file or folder is write-protected.',
  ],
  10: ['io', 'The disk of the store failed. Look at it, and at what the system says of it; then try again.'],
  11: ['damaged', 'The store is damaged. Restore a backup of it.'],
  13: ['full', 'The disk is full. Nothing was written; make room and try again.'],
  14: ['not_a_store', 'The store cannot be opened. Does its folder exist, and may it be read and written?'],
  26: ['not_a_store', 'This file is not a store. Name another.'],
}

/** Converts an SQLite error to a `StoreFault`. Returns any other error unchanged. */
export function faultFrom(error: unknown): unknown {
  if (error instanceof IndexDamage) return new StoreFault('index_rebuilding', error.message, { cause: error })
  const fault = isUnreadable(error) ? FAULTS[11] : FAULTS[primaryCode(error) ?? 0]
  return fault ? new StoreFault(...fault, { cause: error }) : error
}

/** Reports whether `node:sqlite` found an integer larger than any that we write. */
function isUnreadable(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
}

/** Reports whether an error means that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === 5
}

/** Runs `work`, converting SQLite errors to `StoreFault`. */
export function withFaults<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw faultFrom(error)
  }
}

/** Returns the SQLite primary result code of an error or of a `StoreFault`'s cause; undefined for other errors. */
export function primaryCode(error: unknown): number | undefined {
  if (error instanceof StoreFault) return primaryCode(error.cause)
  const isOurs = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  // The low byte of an extended result code is the primary code.
  return isOurs ? (error.errcode as number) & 0xff : undefined
}
