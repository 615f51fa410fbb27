/** Mirrors a world as files. Later runs fetch only what has changed. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { type World, WorldError } from '@worldwright/client'
import { jsonOf } from '@worldwright/client/exact'
import { descriptionFrom, type Names } from '@worldwright/client/foreign'
import { isObject, type JsonValue, WELL_KNOWN_PATH } from '@worldwright/client/protocol'
import { saysChanges, takeChanges } from './by-changes.ts'
import { type ListsWalk, takeLists } from './by-lists.ts'
import { LineSorter } from './line-sorter.ts'
import { LineWriter, linesOf } from './lines.ts'
import { MANIFEST, MANIFEST_FORMAT, type Manifest, type MirroredType } from './manifest.ts'
import { DEFINITION, type MirrorFolder } from './mirror-folder.ts'
import { mirroredDefinition } from './mirrored-definition.ts'
import type { Reading } from './reading.ts'
import { nameFrom, type Taken } from './source.ts'
import { type Counts, TypeMerge } from './type-merge.ts'

/** Log of all deleted entities, one per line. Each run appends to it. */
const DELETIONS = 'deletions.ndjson'
/** File with the discovery document as it was received. */
const DISCOVERY = 'discovery.json'

/** World to mirror, destination folder, and callbacks. */
export interface MirrorOptions extends Pick<ListsWalk, 'world' | 'cache' | 'again' | 'signal'> {
  readonly folder: MirrorFolder
  readonly names: Names | undefined
  /** True to publish the types that were read even if others were skipped. */
  readonly partial: boolean
  /** Called periodically with the number of entities or changes so far. */
  readonly progress: (count: number) => void
  /** Called with each message for the operator. */
  readonly notice: (text: string) => void
  readonly now: () => Date
}

/** Result of one mirror run. */
export interface MirrorResult extends Counts {
  readonly reading: Reading
  /** Absent if the mirror stayed unchanged, since something was skipped. */
  readonly manifest?: Manifest
}

/** Name of the working file that stores fetched changes until they are committed. */
const JOURNAL = 'changes'

/** Name of the page cache in the working folder. */
export const PAGES = 'pages'

/**
 * Updates a mirror atomically.
 * @throws WorldError `world_mismatch` if the folder mirrors a different world; the errors of `takeChanges` and `takeLists`
 */
export async function mirrorWorld(options: MirrorOptions): Promise<MirrorResult> {
  requireSameWorld(options)
  return new MirrorRun(options).run()
}

function requireSameWorld({ world, folder: { manifest, path }, names }: MirrorOptions): void {
  if (!manifest) return
  const { origin, world: before } = manifest
  const id = descriptionFrom(world.document, names).id?.value
  if (before.id === undefined ? origin === world.origin : before.id === id) return
  throw new WorldError(
    'world_mismatch',
    `${path} is a mirror of ${before.id ?? origin}, and ${world.origin} is ${id ?? 'another world'}. Name another folder.`,
    { url: world.origin, details: { expected: before.id, actual: id } },
  )
}

class MirrorRun {
  readonly #options: MirrorOptions
  readonly #sorter: LineSorter
  readonly #types: Record<string, MirroredType>
  readonly #counts: Counts = { created: 0, changed: 0, deleted: 0 }
  readonly #now: string
  #deletions: LineWriter | undefined

  constructor(options: MirrorOptions) {
    this.#options = options
    this.#sorter = new LineSorter(options.folder.workFile('sorting'))
    this.#types = { ...options.folder.whole?.types }
    this.#now = options.now().toISOString()
  }

  async run(): Promise<MirrorResult> {
    const { world, names, folder, partial } = this.#options
    try {
      const { entityTypes, unread = [] } = descriptionFrom(world.document, names)
      const types = entityTypes && [...new Set(entityTypes.value.map(({ type }) => type))]
      const taken = await this.#take(types?.toSorted())
      const skipped = new Set(Object.keys(taken.types).filter((type) => taken.types[type]?.skipped))
      const { pages, meanwhile } = taken
      const reading = { types: taken.types, unrecognised: unread, pages, meanwhile }
      const isWhole = skipped.size + unread.length === 0
      const isNothing = !taken.changes && skipped.size === Object.keys(taken.types).length
      if (!isWhole && (isNothing || !partial)) return { ...this.#counts, reading }
      await this.#merge(taken.isAll, skipped)
      await this.#deletions?.end()
      if (taken.changes) reading.types = this.#readTypes(types)
      const manifest = await this.#publish(taken, reading)
      await rm(folder.workFile(JOURNAL), { force: true })
      return { ...this.#counts, reading, manifest }
    } finally {
      await this.#deletions?.abandon()
      await this.#sorter.remove()
    }
  }

  async #take(types: readonly string[] | undefined): Promise<Taken> {
    const { world, folder, cache, again, signal, progress, notice } = this.#options
    const sorter = this.#sorter
    if (!saysChanges(world)) {
      if (!types)
        throw new WorldError(
          'invalid_response',
          'The entity types of this world were not recognised. Give their name: --names types=PATH',
          { url: world.origin + WELL_KNOWN_PATH },
        )
      const taken = await takeLists({ world, types, cache, sorter, again, progress, signal })
      await cache.removeUnused()
      return taken
    }
    const startedOver = () =>
      notice(
        `${world.origin} was restored, or this mirror is older than what it remembers. Reading all of it again.`,
      )
    return takeChanges({
      world,
      journal: folder.workFile(JOURNAL),
      since: folder.whole?.changes?.next,
      sorter,
      report: { progress, startedOver },
      signal,
    })
  }

  /** Returns the readings of a world that was read by its changes, which have no pages of a single type. */
  #readTypes(declared: readonly string[] = []): Reading['types'] {
    const all = [...new Set([...declared, ...Object.keys(this.#types)])].toSorted()
    return Object.fromEntries(all.map((type) => [type, { entities: this.#types[type]?.entities ?? 0 }]))
  }

  /** Writes the new files. If `isAll`, removes the types and entities that were neither fetched nor skipped. */
  async #merge(isAll: boolean, skipped: ReadonlySet<string>): Promise<void> {
    const untouched = new Set(Object.keys(this.#types)).difference(skipped)
    let open: { readonly type: string; readonly merge: TypeMerge } | undefined
    try {
      for await (const [key, line] of this.#sorter.sorted()) {
        const [type, id] = nameFrom(key)
        if (skipped.has(type)) continue
        if (open?.type !== type) {
          if (open) await this.#end(open.type, open.merge)
          open = { type, merge: await this.#begin(type, isAll) }
          untouched.delete(type)
        }
        await open.merge.take(id, line)
      }
      if (open) await this.#end(open.type, open.merge)
      open = undefined
      for (const type of isAll ? untouched : []) await this.#end(type, await this.#begin(type, isAll))
    } finally {
      await open?.merge.abandon()
    }
  }

  async #begin(type: string, isAll: boolean): Promise<TypeMerge> {
    const { folder, signal } = this.#options
    signal.throwIfAborted()
    const before = this.#types[type]
    return TypeMerge.begin({
      before: before && folder.file(before.file),
      after: folder.newFile(before?.file ?? fileOf(type)),
      isAll,
      onDeleted: (id) => this.#noteDeleted(type, id),
    })
  }

  async #end(type: string, merge: TypeMerge): Promise<void> {
    const written = await merge.end()
    for (const name of ['created', 'changed', 'deleted'] as const) this.#counts[name] += merge.counts[name]
    if (written === 'same') return
    if (written === 'empty') delete this.#types[type]
    else {
      const { lines, bytes, sha256 } = written
      const file = this.#types[type]?.file ?? fileOf(type)
      this.#types[type] = { file, entities: lines, bytes, sha256 }
    }
  }

  async #noteDeleted(type: string, id: string): Promise<void> {
    if (!this.#deletions) {
      const { folder } = this.#options
      const before = folder.file(DELETIONS)
      this.#deletions = await LineWriter.create(folder.newFile(DELETIONS))
      if (existsSync(before)) for await (const line of linesOf(before)) await this.#deletions.add(line)
    }
    await this.#deletions.add(JSON.stringify({ type, id, seenAt: this.#now }))
  }

  async #publish({ changes, etags }: Taken, reading: Reading): Promise<Manifest> {
    const { world, folder, names, notice } = this.#options
    const types = Object.fromEntries(
      Object.entries(this.#types).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    )
    const files = Object.values(types).map(({ file }) => file)
    const definition = mirroredDefinition(world, names, files)
    if (definition.fault)
      notice(
        `${DEFINITION} is without the schemas of this world, which a definition cannot hold: ${definition.fault}`,
      )
    const manifest: Manifest = {
      format: MANIFEST_FORMAT,
      origin: world.origin,
      world: aboutWorld(world, names),
      mirroredAt: this.#now,
      ...(changes && { changes }),
      ...(etags && { etags }),
      entities: Object.values(types).reduce((sum, { entities }) => sum + entities, 0),
      types,
      reading,
    }
    await writeFile(folder.newFile(DEFINITION), definition.text)
    await writeFile(folder.newFile(DISCOVERY), `${jsonOf(world.document)}\n`)
    await writeFile(folder.newFile(MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
    const gone = Object.values(folder.manifest?.types ?? {}).filter(({ file }) => !files.includes(file))
    await this.#leaveAlone([DEFINITION, DISCOVERY])
    await folder.commit(gone.map(({ file }) => file))
    return manifest
  }

  /** If no entity has changed, unstages those of the named files that are unchanged, so that watchers do not reload. */
  async #leaveAlone(names: readonly string[]): Promise<void> {
    const { folder } = this.#options
    const { created, changed, deleted } = this.#counts
    if (created + changed + deleted > 0) return
    for (const name of names) {
      const before = await readFile(folder.file(name), 'utf8').catch(() => undefined)
      if (before === (await readFile(folder.newFile(name), 'utf8'))) await rm(folder.newFile(name))
    }
  }
}

function aboutWorld({ document }: World, names: Names | undefined): Manifest['world'] {
  const { id, name } = descriptionFrom(document, names)
  const about: unknown = document.world
  const said = [document, isObject(about) ? about : {}].flatMap((object: Record<string, unknown>) => [
    object['license'],
    object['licence'],
  ])
  const license = said.find((value) => value !== undefined) as JsonValue | undefined
  return {
    ...(id && { id: id.value }),
    ...(name && { name: name.value }),
    ...(license !== undefined && { license }),
  }
}

/** Returns the file name for a type, unique even if case is ignored. A type with unusual characters gets a hash suffix. */
function fileOf(type: string): string {
  const plain = /^[a-z0-9-]+:[a-z0-9-]+$/.test(type)
  const mark = plain ? '' : `.${createHash('sha256').update(type).digest('hex').slice(0, 8)}`
  return `${type.replaceAll(/[^A-Za-z0-9-]+/g, '.').slice(0, 100)}${mark}.ndjson`
}
