/** Errors that cause an import to load nothing although all sources are readable. */
import type { Rejection } from './events.ts'
import type { Loss } from './options.ts'

/** Thrown if a record is rejected and `onInvalid` is `stop`. Nothing is loaded. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped'

  constructor({ source, line, faults: [first] }: Rejection) {
    super(`${source}:${line}: ${first?.pointer && `${first.pointer} `}${first?.message}. Nothing was loaded.`)
  }
}

/** Thrown if more records are rejected than allowed. Nothing is loaded. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
  readonly rejected: number
  /** First twenty rejections. */
  readonly rejections: readonly Rejection[]
  /** Sentences on columns that are gone from a source or new in it. */
  readonly columns: readonly string[]

  constructor(rejected: number, rejections: readonly Rejection[], columns: readonly string[]) {
    super(`${rejected} records are bad. Nothing was loaded.`)
    this.rejected = rejected
    this.rejections = rejections
    this.columns = columns
  }
}

/** Thrown if a type would lose so many entities that a file may be truncated. Nothing is loaded. */
export class ImportShrunk extends Error {
  override readonly name = 'ImportShrunk'
}

/** Thrown if a record has a type of sources that are left unread. All of them must be read. Nothing is loaded. */
export class TypeUnread extends Error {
  override readonly name = 'TypeUnread'
}

/** Losses that are never refused: up to this number of entities of a type, or up to this fraction of them. */
const SMALL_LOSS = 10
const SMALL_PART = 0.2

/** Reports whether a type would lose more than a fifth of its entities, and more than ten. */
export function isLargeLoss({ missing, stored }: Loss): boolean {
  return missing > SMALL_LOSS && missing > SMALL_PART * stored
}

/** Returns the error that refuses a large loss. */
export function refusedLoss({ type, loaded, stored }: Loss): ImportShrunk {
  const numbers = `the sources hold ${loaded} entities, and ${stored} are served`
  return new ImportShrunk(`${type}: ${numbers}. Was a file cut short? Nothing was loaded.`)
}
