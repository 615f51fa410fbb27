/** Conformance tests for the store contract. An engine's test file passes a factory, and adds engine-specific tests. */
import { describe, type TestContext } from 'node:test'
import type { EntityKey, MaybePromise, Store } from './contract.ts'
import { askingTests } from './suite-asking.ts'
import { damageTests } from './suite-damage.ts'
import type { Clock, OpenDamageable, OpenStore } from './suite-data.ts'
import { followingTests } from './suite-following.ts'
import { groupingTests } from './suite-grouping.ts'
import { importingTests } from './suite-importing.ts'
import { indexTests } from './suite-index.ts'
import { logTests } from './suite-log.ts'
import { precedenceTests } from './suite-precedence.ts'
import { readingTests } from './suite-reading.ts'
import { searchingTests } from './suite-searching.ts'
import { signalTests } from './suite-signals.ts'
import { snapshotTests } from './suite-snapshots.ts'
import { valueTests } from './suite-values.ts'
import { writingTests } from './suite-writing.ts'

export { describeSource } from './suite-source.ts'

/** Opens a new, empty store that uses the clock `now`. `after` registers clean-up to run once the store is closed. */
export type StoreFactory = (context: {
  now(): Date
  after(cleanUp: () => MaybePromise<void>): void
}) => MaybePromise<Store>

/** Corrupts a stored entity behind the store's back. */
export type Damage = (store: Store, key: EntityKey) => MaybePromise<void>

/** Optional parts of the contract that an engine supports. */
export interface SuiteProfile {
  /** Corrupts a stored entity, for engines whose data can be damaged. */
  readonly damage?: Damage
  /** False for engines that cannot be replicas. */
  readonly follows?: boolean
  /** False for engines that search by `scan`. */
  readonly indexes?: boolean
  /** False for engines in which files always win. */
  readonly precedence?: boolean
}

/** Registers the contract's tests for one engine, under its name. */
export function describeStore(
  name: string,
  factory: StoreFactory,
  { damage, follows = true, indexes = true, precedence = true }: SuiteProfile = {},
): void {
  const open = openerOf(factory)
  describe(`${name} satisfies the store contract`, () => {
    readingTests(open)
    writingTests(open)
    importingTests(open)
    if (precedence) precedenceTests(open)
    searchingTests(open)
    if (indexes) {
      indexTests(open)
      askingTests(open)
      groupingTests(open)
    }
    logTests(open)
    if (follows) followingTests(open)
    valueTests(open)
    signalTests(open)
    snapshotTests(open)
    if (damage) damageTests(damageableBy(open, damage))
  })
}

function damageableBy(open: OpenStore, damage: Damage): OpenDamageable {
  return async (t) => {
    const { store, clock } = await open(t)
    return { store, clock, damage: (key) => damage(store, key) }
  }
}

function openerOf(factory: StoreFactory): OpenStore {
  return async (t: TestContext) => {
    const clock: Clock = { time: new Date('2026-03-01T09:00:00.250Z') }
    const cleanUps: (() => MaybePromise<void>)[] = []
    const store = await factory({ now: () => clock.time, after: (cleanUp) => void cleanUps.push(cleanUp) })
    t.after(async () => {
      await store.close()
      for (const cleanUp of cleanUps) await cleanUp()
    })
    return { store, clock }
  }
}
