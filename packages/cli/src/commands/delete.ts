import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isWorldError } from '@worldwright/client'
import { Operator } from '@worldwright/client/operator'
import { deleteType } from '@worldwright/publish'
import { connectTo, existingWorkspace, type ReadingOptions, withOwnStore } from '@worldwright/serve/open'
import { count, FAILED, type Io, say, shellWord, UsageFault, visible } from '@worldwright/serve/terminal'

/** Command-line flags of `world delete`. */
export interface DeleteOptions extends Omit<ReadingOptions, 'json'> {
  /** Deletes all entities of this type. */
  readonly type?: string
  readonly yes?: boolean
}

/** Served world or store to delete from. */
interface DeletionTarget {
  count(type: string): Promise<number>
  /** Deletes one entity. Returns false if it does not exist. */
  deleteOne(type: string, id: string): Promise<boolean>
  /** Deletes all entities of a type and returns how many were deleted. */
  deleteAll(type: string): Promise<number>
}

/** Deletes the named entities, or all entities of a type. Returns exit code 1 if a named entity does not exist. */
export async function deleteEntities(
  where: string,
  names: readonly string[],
  options: DeleteOptions,
  io: Io,
): Promise<number> {
  const [type = options.type, ...ids] = names
  if (type === undefined)
    throw new UsageFault('Say what to delete: a type and the ids, or all of a type with --type prefix:name.')
  const all = shellWord(options.type ?? type)
  if (options.type === undefined ? ids.length === 0 : names.length > 0)
    throw new UsageFault(`Name the ids to delete, or all of ${all} with --type ${all} alone.`)
  return isOrigin(where, io)
    ? deleteFrom(await servedTarget(where, options, io), type, ids, options, io)
    : withStore(where, (target) => deleteFrom(target, type, ids, options, io), io)
}

/** Reports whether `where` is an origin, as opposed to an existing path or a store URL. */
function isOrigin(where: string, { cwd }: Io): boolean {
  if (/^https?:\/\//i.test(where)) return true
  return !isStoreUrl(where) && !existsSync(resolve(cwd, where))
}

/** Reports whether `where` is a store URL such as `sqlite:FILE`, rather than a host with a port such as `localhost:8080`. */
function isStoreUrl(where: string): boolean {
  return /^[a-z]+:(?!\d+$)/i.test(where)
}

async function deleteFrom(
  target: DeletionTarget,
  type: string,
  ids: readonly string[],
  { yes }: DeleteOptions,
  io: Io,
): Promise<number> {
  if (ids.length === 0) {
    const all = await target.count(type)
    if (!yes && all > 0) {
      const what = `${count(all, 'entity', 'entities')} of ${type}`
      throw new UsageFault(`This deletes ${what}. Nothing was deleted; to do it, add --yes`)
    }
    say(io, visible(`${count(await target.deleteAll(type), 'entity', 'entities')} of ${type} deleted.`))
    return 0
  }
  let missing = 0
  for (const id of ids) {
    io.signal.throwIfAborted()
    const isDeleted = await target.deleteOne(type, id)
    if (!isDeleted) missing += 1
    say(io, visible(isDeleted ? `${type} ${id} is deleted.` : `There is no ${type} ${id}.`))
  }
  return missing > 0 ? FAILED : 0
}

async function servedTarget(origin: string, options: DeleteOptions, io: Io): Promise<DeletionTarget> {
  const world = await connectTo(origin, options, io)
  const operator = new Operator(world)
  const { signal } = io
  const deleteOne = async (type: string, id: string) => {
    try {
      await operator.delete(type, id, { signal })
      return true
    } catch (error) {
      if (isWorldError(error) && error.code === 'entity_not_found') return false
      throw error
    }
  }
  return {
    deleteOne,
    count: async (type) => (await world.list(type, { limit: 0 }, { signal })).total ?? 0,
    async deleteAll(type) {
      let deleted = 0
      for await (const { id } of world.entities(type, { pageSize: 200 }, { signal }))
        if (await deleteOne(type, id)) deleted += 1
      return deleted
    },
  }
}

async function withStore(
  where: string,
  work: (target: DeletionTarget) => Promise<number>,
  io: Io,
): Promise<number> {
  const isStore = isStoreUrl(where)
  const { store: url } = await existingWorkspace(isStore ? undefined : where, isStore ? where : undefined, io)
  return withOwnStore(url, (store) =>
    work({
      count: async (type) => (await store.types()).get(type)?.count ?? 0,
      async deleteOne(type, id) {
        const result = await store.write([{ delete: { type, id: id.normalize() } }])
        return result.done && result.outcomes[0]?.change === 'deleted'
      },
      deleteAll: (type) => deleteType(store, type),
    }),
  )
}
