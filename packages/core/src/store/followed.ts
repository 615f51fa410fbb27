/** Taking over the history of another store. */
import { type CallOptions, type Following, StorageFault, type Store } from './contract.ts'

/** Begins to take over changes: see `Store.follow`. @throws StorageFault `read_only` for a store of its own history alone */
export async function beginToFollow(store: Pick<Store, 'follow'>, options?: CallOptions): Promise<Following> {
  if (!store.follow)
    throw new StorageFault('read_only', 'This store keeps a history of its own: it follows no other.')
  return store.follow(options)
}
