/** `world serve --seed`: starts a new node from a backup of another one. */
import { type StoreLocation, seedAt, seedName } from '@worldwright/engines'
import { type Io, UsageFault } from '../terminal/io.ts'
import { say } from '../terminal/output.ts'

/**
 * Seeds the replica of a node, unless it has one, and logs which of both. The node then follows the database as usual.
 * @throws UsageFault if the store has no replica here; StoreFault if the seed cannot be used
 */
export async function seedNode(location: StoreLocation, seed: string, io: Io): Promise<void> {
  if (!location.seed)
    throw new UsageFault(
      `Only a node of a store in PostgreSQL, with a replica, has a seed. Leave out --seed for ${location.name}.`,
    )
  const from = seedAt(seed, io.cwd)
  say(io, `Seeding the replica from ${seedName(from)}, unless there is one.`)
  const isSeeded = await location.seed(from, io.signal)
  say(io, isSeeded ? 'The replica is seeded.' : 'This node has a replica. The seed was not used.')
}
