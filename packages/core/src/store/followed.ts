/** Replication of the history of another store. */
import { type CallOptions, type Following, StorageFault, type Store } from './contract.ts'

/** Begins to replicate changes: see `Store.follow`. @throws StorageFault `read_only` if the store cannot be a replica */
export async function beginToFollow(store: Pick<Store, 'follow'>, options?: CallOptions): Promise<Following> {
  if (!store.follow)
    throw new StorageFault('read_only', 'This store keeps a history of its own: it follows no other.')
  return store.follow(options)
}
