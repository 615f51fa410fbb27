/** `world put` and `world patch`: write one entity. */
import { type Content, Operator, type Patch, type Written } from '@worldwright/client/operator'
import type { JsonObject } from '@worldwright/client/protocol'
import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import { type Io, jsonText, say, visible, writeLine } from '@worldwright/serve/terminal'
import { jsonInput } from '../open/json-input.ts'

/** Command-line flags of `world put` and `world patch`. */
export interface WritingOptions extends ReadingOptions {
  readonly input: string
  readonly ifRevision?: string
  /** Fails if the entity already exists. Only for `world put`. */
  readonly ifAbsent?: boolean
}

/** Creates or replaces an entity. If `id` is undefined, creates an entity with a generated id. */
export async function put(
  origin: string,
  type: string,
  id: string | undefined,
  options: WritingOptions,
  io: Io,
): Promise<number> {
  const content = (await jsonInput(options.input, 'An entity', io)) as unknown as Content
  const operator = new Operator(await connectTo(origin, options, io))
  const { ifRevision, ifAbsent } = options
  const call = { signal: io.signal }
  const written =
    id === undefined
      ? await operator.create(type, content, call)
      : await operator.put(type, id, content, { ...call, ifRevision, ifAbsent })
  return told(written, options, io)
}

/** Applies a merge patch to an entity. */
export async function patch(
  origin: string,
  type: string,
  id: string,
  options: WritingOptions,
  io: Io,
): Promise<number> {
  const change = await jsonInput(options.input, 'A patch', io)
  const operator = new Operator(await connectTo(origin, options, io))
  const { ifRevision } = options
  const written = await operator.patch(type, id, change as Patch<JsonObject>, {
    signal: io.signal,
    ifRevision,
  })
  return told(written, options, io)
}

async function told({ entity }: Written, { json }: WritingOptions, io: Io): Promise<number> {
  if (json) await writeLine(io.stdout, jsonText(entity, 2))
  else await writeLine(io.stdout, visible(entity.id))
  say(io, visible(`${entity.type} ${entity.id} is written; its revision is ${entity.revision}.`))
  return 0
}
