/** Contract of the tools that an agent may call, and their arguments. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { OpenWorld } from './agent-world.ts'
import type { Answer } from './answer.ts'
import { jsonText } from './text.ts'

/** One call of a tool, about one world. */
export interface Asked {
  readonly on: OpenWorld
  /** Arguments, of the types that the tool declares. */
  readonly args: JsonObject
  readonly signal: AbortSignal
  /** Writes a call of a tool of the same world, with the same budget unless another is given. */
  readonly call: (tool: string, args: object) => string
}

/** A tool. The arguments `budget` and `world` are added to `properties` for all tools alike. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly properties: JsonObject
  readonly required?: readonly string[]
  /** Definitions to which the properties refer. */
  readonly definitions?: JsonObject | undefined
  /** True if calls may change something. */
  readonly writes?: boolean
  /** Reports whether a world has the tool. Default: all worlds. */
  readonly isOf?: (world: OpenWorld) => boolean
  answer(asked: Asked): Promise<Answer>
}

/** Thrown for a call that cannot be answered. The message names a call that can. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault'
}

/** JSON Schema of a text. */
export const TEXT: JsonObject = { type: 'string' }
/** JSON Schema of a list of texts. */
export const TEXTS: JsonObject = { type: 'array', items: TEXT }

/** Returns an argument that is a list of texts; empty if it is absent. */
export function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** Reads the argument `cursor`: the world's cursor of a page, and the number of its entities already shown. @throws ToolFault */
export function placeOf(value: JsonValue | undefined): { cursor?: string; skip: number } {
  const [, skip, cursor] = /^(\d{1,6})~(.*)$/s.exec(String(value ?? '0~')) ?? []
  if (skip === undefined)
    throw new ToolFault('cursor comes from the end of an earlier answer. Repeat the call without it.')
  return { ...(cursor && { cursor }), skip: Number(skip) }
}

/** Returns the line that goes on after `shown` of the entities of a page, or false after the last one. */
export function moreText(
  args: JsonObject,
  { entities, nextCursor }: { entities: readonly unknown[]; nextCursor?: unknown },
  shown: number,
): string | false {
  const { cursor = '', skip } = placeOf(args['cursor'])
  const isOnPage = skip + shown < entities.length
  if (args['limit'] === 0 || (!isOnPage && typeof nextCursor !== 'string')) return false
  const next = isOnPage ? `${skip + shown}~${cursor}` : `0~${nextCursor}`
  return `More: the same call with ${jsonText({ cursor: next }).slice(1, -1)}`
}
