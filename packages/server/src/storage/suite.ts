/** The storage contract as tests. An engine's own test file passes a factory, and adds only what is its own. */
import { describe, type TestContext } from 'node:test'
import type { EntityKey, MaybePromise, Storage } from './contract.ts'
import { askingTests } from './suite-asking.ts'
import { damageTests } from './suite-damage.ts'
import type { Clock, OpenDamageable, OpenStore } from './suite-data.ts'
import { followingTests } from './suite-following.ts'
import { importingTests } from './suite-importing.ts'
import { logTests } from './suite-log.ts'
import { ownerTests } from './suite-owners.ts'
import { readingTests } from './suite-reading.ts'
import { searchingTests } from './suite-searching.ts'
import { signalTests } from './suite-signals.ts'
import { snapshotTests } from './suite-snapshots.ts'
import { tokenTests } from './suite-tokens.ts'
import { writingTests } from './suite-writing.ts'

/** Opens a new, empty store that tells the time by `now`. `after` takes what removes it again. */
export type StorageFactory = (context: {
  now(): Date
  after(cleanUp: () => MaybePromise<void>): void
}) => MaybePromise<Storage>

/** Makes what a store keeps of an entity something else, behind its back. */
export type Damage = (storage: Storage, key: EntityKey) => MaybePromise<void>

/**
 * Registers the contract's tests for one engine under its name. `damage`: for engines whose entities can be damaged.
 * `follows: false`: for engines that only keep histories of their own.
 */
export function describeStorage(
  name: string,
  factory: StorageFactory,
  { damage, follows = true }: { readonly damage?: Damage; readonly follows?: boolean } = {},
): void {
  const open = openerOf(factory)
  describe(`${name} keeps the storage contract`, () => {
    readingTests(open)
    writingTests(open)
    importingTests(open)
    ownerTests(open)
    searchingTests(open)
    askingTests(open)
    logTests(open)
    if (follows) followingTests(open)
    tokenTests(open)
    signalTests(open)
    snapshotTests(open)
    if (damage) damageTests(damageableBy(open, damage))
  })
}

function damageableBy(open: OpenStore, damage: Damage): OpenDamageable {
  return async (t) => {
    const { storage, clock } = await open(t)
    return { storage, clock, damage: (key) => damage(storage, key) }
  }
}

function openerOf(factory: StorageFactory): OpenStore {
  return async (t: TestContext) => {
    const clock: Clock = { time: new Date('2026-03-01T09:00:00.250Z') }
    const cleanUps: (() => MaybePromise<void>)[] = []
    const storage = await factory({ now: () => clock.time, after: (cleanUp) => void cleanUps.push(cleanUp) })
    t.after(async () => {
      await storage.close()
      for (const cleanUp of cleanUps) await cleanUp()
    })
    return { storage, clock }
  }
}
