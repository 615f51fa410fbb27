/** Replication of another store's history. */
import { type CallOptions, type Following, type Store, StoreFault } from './contract.ts'

/** Begins to replicate changes: see `Store.follow`. @throws StoreFault `read_only` if the store cannot be a replica */
export async function beginToFollow(store: Pick<Store, 'follow'>, options?: CallOptions): Promise<Following> {
  if (!store.follow)
    throw new StoreFault('read_only', 'This store keeps a history of its own: it follows no other.')
  return store.follow(options)
}
