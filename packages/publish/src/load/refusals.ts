/** Errors of an import that loads nothing although everything could be read. */
import type { Rejection } from './events.ts'
import type { Loss } from './options.ts'

/** A record was rejected and `onInvalid` is `stop`: nothing was loaded. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped'

  constructor({ source, line, faults: [first] }: Rejection) {
    super(`${source}:${line}: ${first?.pointer && `${first.pointer} `}${first?.message}. Nothing was loaded.`)
  }
}

/** More records were rejected than allowed: nothing was loaded. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused'
  readonly rejected: number
  /** The first twenty. */
  readonly rejections: readonly Rejection[]

  constructor(rejected: number, rejections: readonly Rejection[]) {
    super(`${rejected} records are bad. Nothing was loaded.`)
    this.rejected = rejected
    this.rejections = rejections
  }
}

/** A type would lose so many entities that a file may have been truncated between records: nothing was loaded. */
export class ImportShrunk extends Error {
  override readonly name = 'ImportShrunk'
}

/** A type may lose this number of entities, or this fraction of them, without refusal. */
const SMALL_LOSS = 10
const SMALL_PART = 0.2

/** Reports whether a type would lose more than a fifth of its entities, and more than ten. */
export function isLargeLoss({ missing, stored }: Loss): boolean {
  return missing > SMALL_LOSS && missing > SMALL_PART * stored
}

/** Creates the error that refuses a large loss. */
export function refusedLoss({ type, loaded, stored }: Loss): ImportShrunk {
  const numbers = `the sources hold ${loaded} entities, and ${stored} are served`
  return new ImportShrunk(`${type}: ${numbers}. Was a file cut short? Nothing was loaded.`)
}
