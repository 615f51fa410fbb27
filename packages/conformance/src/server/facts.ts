/** Facts about a world that a report states: its identifier, and the member names by which the kit reads it. */
import { type Path, written } from '../json/json.ts'
import type { Names } from '../shapes/names.ts'
import { identifier } from './level-1-discovery.ts'
import { listing, paging, typePath } from './reading.ts'
import { idPath, typeList } from './subjects.ts'
import type { Target } from './target.ts'

/** Facts about a world. A part that is not known is absent. */
export interface WorldFacts {
  /** Identifier of the world, from its discovery document. */
  readonly world?: string
  /** Member names that the kit used, given or found. */
  readonly reading?: { readonly names: Names }
}

/** Gathers the facts, most of which the checks have found before. */
export async function worldFacts(target: Target): Promise<WorldFacts> {
  const document = await target.document().then(
    (found) => found.document,
    () => ({}),
  )
  const own = identifier(target, document)
  const finders: { readonly [name in keyof Names]: () => Promise<Path | undefined> } = {
    entities: async () => (await listing(target)).path,
    cursor: async () => (await paging(target)).cursor,
    id: () => idPath(target),
    type: () => typePath(target),
    entityTypes: async () => typeList(target, document)?.path,
    worldId: async () => own?.path,
  }
  const names: Record<string, string> = {}
  for (const [name, find] of Object.entries(finders)) {
    const path = await find().catch(() => undefined)
    if (path !== undefined) names[name] = written(path)
  }
  return {
    ...(own?.sure && { world: String(own.value) }),
    reading: { names: { ...target.options.names, ...names } },
  }
}
