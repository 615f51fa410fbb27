/** Worlds that keep Level 1, each in its own words: what faults are planted in. */
import type { ServerOptions } from '../src/check-server.ts'
import { FOREIGN, foreignWorld } from './foreign-world.ts'
import { ORIGIN } from './in-process.ts'
import { referenceEntities } from './reference-data.ts'
import type { Asked, Told } from './reference-http.ts'
import { tellFor } from './reference-world.ts'

/** A world that keeps Level 1, and what a fault has to know of it. */
export interface RightWorld {
  readonly name: string
  readonly tell: (asked: Asked) => Told
  readonly options?: ServerOptions
  /** The type whose ids are plain, and one with ids that need escaping in a path. Both have several pages. */
  readonly types: readonly [plain: string, odd: string]
  /** The first ids of the plain type, in the order of its list. */
  readonly ids: readonly [string, string, string]
  /** Members of the document, by meaning. */
  readonly members: { readonly id: string; readonly types: string; readonly actions: string }
}

/** Ids that need escaping in a path, or that a careless server changes. */
const ODD_IDS = ['..x', '100%', 'Mixed-Case', 'a/b', 'c d+e', 'f?g#h', '\u65e5\u672c']

function reference(): RightWorld {
  const odd = ODD_IDS.map((id) => ({ type: 'ref:river', id, title: `The river ${id}`, attributes: {} }))
  const entities = [...referenceEntities(), ...odd].sort((a, b) =>
    Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)),
  )
  // Only what Level 1 asks for: the extension names the types a second time.
  const document = (body: Record<string, unknown>) => {
    body['entityTypes'] = (body['entityTypes'] as unknown[]).toReversed()
    body['actions'] = (body['actions'] as unknown[]).slice(0, 1)
    delete body['extensions']
  }
  return {
    name: 'the reference world',
    tell: (asked) => tellFor(ORIGIN, { entities, document }, {}, asked),
    types: ['ref:tree', 'ref:river'],
    ids: ['amber-0', 'birch-1', 'cedar-2'],
    members: { id: 'world', types: 'entityTypes', actions: 'actions' },
  }
}

function foreign(name: string, id: string, types: string, actions: string): RightWorld {
  const dialect = FOREIGN[name]
  if (dialect === undefined) throw new Error(`There is no dialect "${name}"; foreign-world.ts has them`)
  return {
    name: `a world that ${name}`,
    tell: foreignWorld(dialect),
    types: ['lib:book', 'lib:person'],
    ids: ['100', '101', '102'],
    members: { id, types, actions },
    ...(dialect.options && { options: dialect.options }),
  }
}

/** The worlds, in which every planted fault is planted. */
export const RIGHT_WORLDS: readonly RightWorld[] = [
  reference(),
  foreign('says entities and nextCursor, as the decisions do', 'world', 'entityTypes', 'actions'),
  foreign('nests its page and ends it with null, its types plain strings', 'id', 'types', 'actions'),
  foreign(
    'groups its types by prefix, wraps what it finds, and says false at the end',
    'world',
    'kinds',
    'operations',
  ),
]
