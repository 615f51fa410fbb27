import type { QueryOutput, World } from '@worldwright/client'
import { jsonOf, parseExact } from '@worldwright/client/exact'
import type { JsonObject } from '@worldwright/client/protocol'
import { groupTable } from '@worldwright/client/query'
import type { StoredEntity } from '@worldwright/core/store'
import { exportPieces } from '@worldwright/publish'
import { formatNamed } from '@worldwright/publish/formats'
import { count, type Io, say, UsageFault, writePiece } from '@worldwright/serve/terminal'

/** Page size, larger than the default to save round trips. */
const PAGE = 200
/** Maximum number of groups in an answer. */
const MAX_GROUPS = 1_000

/**
 * Writes every entity of the result to the standard output. CSV needs two passes, since its header names all columns.
 * @throws UsageFault if the query does not name exactly one type; Error if an attribute appears between the passes
 */
export async function writeResult(
  world: World,
  input: JsonObject,
  format: 'csv' | 'geojson',
  io: Io,
): Promise<void> {
  const types = input['types']
  const [type, another] = Array.isArray(types) ? types : []
  if (typeof type !== 'string' || another !== undefined)
    throw new UsageFault(`--${format} holds entities of one type: give one with --type`)
  const schema = world.document.entityTypes?.find((one) => one.type === type)?.schema
  const result = new ResultSnapshot(world, { limit: PAGE, ...input }, io)
  const escaped = (cells: number) =>
    say(io, `${count(cells, 'text')} that a spreadsheet would run as a formula begin with an apostrophe.`)
  const store = { snapshot: () => result }
  for await (const piece of exportPieces(store, { format, type, schema, escaped, parse: parseExact }))
    await writePiece(io.stdout, String(piece))
  say(io, `${count(result.read, 'entity', 'entities')}.`)
}

/** Writes the groups of a query to the standard output as CSV, and returns the answer. @throws Error if it is partial */
export async function writeGroups(world: World, input: JsonObject, io: Io): Promise<QueryOutput> {
  const answer = await world.query({ groupLimit: MAX_GROUPS, ...input }, { signal: io.signal }).page()
  if (answer.partial)
    throw new Error(
      'The time budget of the query ran out, so its groups are partial. Add a condition, or use fewer or wider groups.',
    )
  const { columns, rows } = groupTable(answer)
  const text = await formatNamed('csv')?.writer?.table?.(columns, rows)
  await writePiece(io.stdout, text ?? '')
  return answer
}

/** Presents a query result as a store snapshot. It is only as consistent as cursors are (see `worldwright:query`). */
class ResultSnapshot {
  /** Number of entities in the last pass. */
  read = 0
  readonly #world: World
  readonly #input: JsonObject
  readonly #io: Io
  /** Attribute names found by the previous pass. */
  #names: Set<string> | undefined

  constructor(world: World, input: JsonObject, io: Io) {
    this.#world = world
    this.#input = input
    this.#io = io
  }

  async *entities(): AsyncGenerator<StoredEntity> {
    const before = this.#names
    const names = new Set<string>()
    this.read = 0
    for await (const entity of this.#world.query(this.#input, { signal: this.#io.signal })) {
      for (const name of Object.keys(entity.attributes)) {
        if (before?.has(name) === false)
          throw new Error(`The attribute ${name} appeared while the result was read. Try again.`)
        names.add(name)
      }
      this.read += 1
      const { type, id, revision = '' } = entity
      yield { type, id, revision, json: jsonOf(entity) }
    }
    this.#names = names
  }

  close(): void {}
}
