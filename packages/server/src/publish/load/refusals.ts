/** Why an import loads nothing although everything could be read. */
import type { TypeState } from '../../storage/contract.ts'
import type { Rejection } from './events.ts'

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

/** A file that was cut short between two records looks like one with records taken out: nothing was loaded. */
export class ImportShrunk extends Error {
  override readonly name = 'ImportShrunk'
}

/** A type may lose so many entities, or this part of them, without a question. */
const SMALL_LOSS = 10
const SMALL_PART = 0.2

/** @throws ImportShrunk where one of these types would lose more than a fifth of its entities and more than ten. */
export function refuseLoss(
  types: readonly string[],
  loaded: ReadonlyMap<string, number>,
  stored: ReadonlyMap<string, TypeState>,
): void {
  for (const type of types) {
    const [now, before] = [loaded.get(type) ?? 0, stored.get(type)?.count ?? 0]
    const lost = before - now
    if (lost <= SMALL_LOSS || lost <= SMALL_PART * before) continue
    const numbers = `the sources hold ${now} entities, and ${before} are served`
    throw new ImportShrunk(`${type}: ${numbers}. Was a file cut short? Nothing was loaded.`)
  }
}
